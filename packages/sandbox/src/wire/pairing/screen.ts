import { Curve } from 'baileys';
import type { GuardedScreen, LinkedDevice, PhoneNumber, SessionId, World } from '../../world/index.ts';
import { lidJid, WorldError } from '../../world/index.ts';
import { Refusal, refusalOf } from '../errors.ts';
import { RESTART, streamError } from '../login/final-stanzas.ts';
import { type Clock, type Random, unixSeconds } from '../ports.ts';
import { type Companion, encodeCompanion } from '../signal/companions.ts';
import type { PhoneKeyring } from '../signal/phone-keys.ts';
import type { Connection, ConnectionHandler } from '../transport/connection.ts';
import { child, childBytes, type Node, node, SERVER } from '../transport/nodes.ts';
import type { CodeRequest, CodeRequestReader } from './code-requests.ts';
import { encodeDeviceIdentity } from './device-identity.ts';
import { agreeAdvSecret, unwrapEphemeral, wrapEphemeral } from './link-code.ts';
import { type Answer, type Ceremony, startCeremony } from './passkey/ceremony.ts';

const REF_COUNT = 6;
/** How long a client shows the first QR, and the maximum for each later one. */
const REF_LIFETIME_MS = 60_000;
const ANSWER_TIMEOUT_MS = 15_000;
const CODE_REF_BYTES = 16;
/** Clients reserve this number for a business's hosted device, and refuse it otherwise. */
const HOSTED_DEVICE = 99;

export interface ScreenServices {
  readonly world: Pick<World, 'devices' | 'passkeys' | 'phones'>;
  readonly keyring: PhoneKeyring;
  readonly clock: Clock;
  readonly random: Random;
  readonly readCodeRequest: CodeRequestReader;
  /** Deletes the state of an earlier device with the same number. */
  readonly forget: (sessionId: SessionId) => void;
}

/** A client that waits to be linked: it shows QRs, and possibly a code. */
export interface Screen {
  readonly handler: ConnectionHandler;
  readonly refs: readonly string[];
  /** Undefined when this screen never showed the ref. */
  refState(ref: string): 'fresh' | 'expired' | undefined;
  /** The number whose owner is asked to enter a code here. */
  readonly codeFor: PhoneNumber | undefined;
  /** Calls back once when a code is requested here. */
  onHello(listener: () => void): void;
  matches(noiseKey: Buffer, identityKey: Buffer): boolean;
  /** `onGuarded` is called when the phone begins to wait for its passkey. */
  linkByQr(phone: PhoneNumber, advSecret: Buffer, onGuarded?: () => void): Promise<LinkedDevice>;
  /** `forbidden` when the screen shows another code. */
  linkByCode(phone: PhoneNumber, code: string, onGuarded?: () => void): Promise<LinkedDevice>;
  /** The phone's screen while it waits for its passkey. */
  guarded(phone: PhoneNumber): GuardedScreen | undefined;
  /** Notifications that the client has not acknowledged. */
  readonly unacknowledged: number;
}

export interface ScreenClient {
  readonly companion: Companion;
  /** The device type of its registration. */
  readonly deviceType: number | undefined;
}

export function createScreen(
  { world, keyring, clock, random, readCodeRequest, forget }: ScreenServices,
  connection: Connection,
  { companion, deviceType }: ScreenClient,
  onEnd: () => void,
): Screen {
  const refs = Array.from(
    { length: REF_COUNT },
    () => `2@${Buffer.from(random.bytes(48)).toString('base64url')}`,
  );
  const shownAt = clock.now();
  const waiting = new Map<string, (answer: Node | undefined) => void>();
  let serial = 0;
  const listeners: (() => void)[] = [];
  let hello: (CodeRequest & { ref: Buffer }) | undefined;
  let ceremony: Ceremony | undefined;
  /** Of a QR that was scanned; one that is shown later links. */
  let retiredSecret: Buffer | undefined;
  const unacknowledged = new Set<string>();

  const send = (stanza: Node): void => {
    const { id } = stanza.attrs;
    if (stanza.tag === 'notification' && id !== undefined) unacknowledged.add(id);
    connection.send(stanza);
  };
  const newId = (): string => Buffer.from(random.bytes(8)).toString('hex');

  /** The client's answer under `key`, or `gone` when it does not come. */
  const answerTo = (key: string, ask: () => void): Promise<Node> =>
    new Promise((resolve, reject) => {
      const settle = (answer: Node | undefined): void => {
        waiting.delete(key);
        timer.cancel();
        if (answer) resolve(answer);
        else reject(new WorldError('gone', 'the device that wanted to be linked went away'));
      };
      const timer = clock.after(ANSWER_TIMEOUT_MS, () => settle(undefined));
      waiting.set(key, settle);
      if (connection.open) ask();
      else settle(undefined);
    });

  const receive = async (stanza: Node): Promise<void> => {
    const { id, type } = stanza.attrs;
    if (id === undefined) return;
    if (stanza.tag === 'ack' && unacknowledged.delete(id)) waiting.get(id)?.(stanza);
    if (stanza.tag !== 'iq') return;
    if (type === 'result') {
      waiting.get(id)?.(stanza);
      return;
    }
    try {
      const { content, onSent } = (await ceremony?.answer(stanza)) ?? answer(stanza);
      connection.send(node('iq', { from: SERVER, type: 'result', id }, content));
      onSent?.();
    } catch (error) {
      const { code, message } = refusalOf(error);
      connection.send(
        node('iq', { from: SERVER, type: 'error', id }, [node('error', { code, text: message })]),
      );
    }
  };

  /** The content of the result of a query. */
  const answer = (order: Node): Answer => {
    const code = child(order, 'link_code_companion_reg');
    switch (code?.attrs.stage) {
      case 'companion_hello': {
        const ref = Buffer.from(random.bytes(CODE_REF_BYTES));
        hello = { ...readCodeRequest(code), ref };
        for (const listener of listeners.splice(0)) listener();
        return { content: [codeStage('companion_hello', [node('link_code_pairing_ref', {}, ref)])] };
      }
      case 'companion_finish': {
        const ref = childBytes(code, 'link_code_pairing_ref');
        if (!hello || !ref?.equals(hello.ref)) throw new Refusal(400, 'bad-request');
        return { onSent: () => waiting.get('companion_finish')?.(code) };
      }
      default:
        return {};
    }
  };

  const linkDevice = (phone: PhoneNumber): LinkedDevice => {
    const device = world.devices.link(phone, encodeCompanion(companion));
    if (device.device !== HOSTED_DEVICE) {
      forget(device.sessionId);
      return device;
    }
    world.devices.unlink(device.sessionId);
    return linkDevice(phone);
  };

  /** The secret that both sides share after the code was entered; undefined when a guarded phone keeps its key back. */
  const agreeByCode = async (
    phone: PhoneNumber,
    code: string,
    { ref, wrappedEphemeral }: NonNullable<typeof hello>,
  ): Promise<Buffer | undefined> => {
    const phoneIdentity = keyring.of(phone).identity;
    const phoneEphemeral = Curve.generateKeyPair();
    const companionEphemeral = await unwrapEphemeral(wrappedEphemeral, code);
    const wrapped = await wrapEphemeral(phoneEphemeral.public, code, random);
    const handleLogin = (key: Node[]): void => {
      const greeting = codeStage('primary_hello', [
        ...key,
        node('primary_identity_pub', {}, phoneIdentity.public),
        node('link_code_pairing_ref', {}, ref),
      ]);
      const attrs = { from: SERVER, type: 'link_code_companion_reg', id: newId(), t: unixSeconds(clock) };
      send(node('notification', attrs, [greeting]));
    };
    if (world.passkeys.consumeFault(phone, 'passkey_bare_code')) {
      handleLogin([]);
      return undefined;
    }
    const finish = await answerTo('companion_finish', () =>
      handleLogin([node('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrapped)]),
    );
    const advSecret = agreeAdvSecret({
      phoneIdentity,
      phoneEphemeral,
      companionEphemeral,
      companionIdentity: companion.identityKey,
      wrappedBundle: childBytes(finish, 'link_code_pairing_wrapped_key_bundle') ?? Buffer.alloc(0),
    });
    if (!advSecret) throw new WorldError('forbidden', 'that is not the code on the screen');
    return advSecret;
  };

  /** The secret of the link: for a guarded phone a fresh one, which the client sends after the passkey was used. */
  const passGuard = async (
    phone: PhoneNumber,
    secret: Buffer | undefined,
    onGuarded = (): void => {},
  ): Promise<Buffer> => {
    if (secret && !world.phones.get(phone).requiresPasskey) return secret;
    ceremony?.end();
    ceremony = startCeremony({
      passkeys: world.passkeys,
      clock,
      random,
      phone,
      client: { noiseKey: companion.noiseKey, identityKey: companion.identityKey, deviceType },
      secret,
      send,
    });
    onGuarded();
    return ceremony.agreed;
  };

  /** Asks the client for a new secret, and resolves when it has acknowledged that. */
  const retire = async (secret: Buffer): Promise<void> => {
    retiredSecret = secret;
    const attrs = { from: SERVER, type: 'companion_reg_refresh', id: newId(), t: unixSeconds(clock) };
    await answerTo(attrs.id, () => send(node('notification', attrs, [node('companion_reg_refresh')])));
  };

  const link = async (phone: PhoneNumber, advSecret: Buffer): Promise<LinkedDevice> => {
    const { lid } = world.phones.get(phone);
    const device = linkDevice(phone);
    const id = `pair-success-${++serial}`;
    const identity = encodeDeviceIdentity({
      account: keyring.of(phone).identity,
      companionIdentity: companion.identityKey,
      advSecret,
      device: device.device,
      timestamp: unixSeconds(clock),
    });
    const success = node('iq', { from: SERVER, type: 'set', id, t: unixSeconds(clock) }, [
      node('pair-success', {}, [
        node('device-identity', {}, identity),
        node('device', { jid: device.sessionId, lid: lidJid(`${lid}:${device.device}`) }),
        node('platform', { name: 'android' }),
      ]),
    ]);
    try {
      await answerTo(id, () => connection.send(success));
    } catch (error) {
      world.devices.unlink(device.sessionId);
      throw error;
    }
    connection.close(streamError(RESTART));
    return device;
  };

  connection.send(
    node('iq', { from: SERVER, type: 'set', id: 'pair-device', xmlns: 'md' }, [
      node(
        'pair-device',
        {},
        refs.map((ref) => node('ref', {}, Buffer.from(ref))),
      ),
    ]),
  );

  return {
    handler: {
      receive,
      ended() {
        for (const settle of [...waiting.values()]) settle(undefined);
        ceremony?.end();
        onEnd();
      },
    },
    refs,
    get codeFor() {
      return hello?.phone;
    },
    onHello: (listener) => void listeners.push(listener),
    refState(ref) {
      const position = refs.indexOf(ref);
      if (position < 0) return undefined;
      return clock.now() <= shownAt + (position + 1) * REF_LIFETIME_MS ? 'fresh' : 'expired';
    },
    matches: (noiseKey, identityKey) =>
      companion.noiseKey.equals(noiseKey) && companion.identityKey.equals(identityKey),
    guarded: (phone) => (ceremony?.phone === phone ? ceremony.screen : undefined),
    get unacknowledged() {
      return unacknowledged.size;
    },

    async linkByQr(phone, advSecret, onGuarded) {
      if (world.phones.get(phone).refreshesPairing && !retiredSecret) await retire(advSecret);
      if (retiredSecret?.equals(advSecret)) {
        throw new WorldError('conflict', 'this QR was replaced; scan the one that the device shows now');
      }
      return link(phone, await passGuard(phone, advSecret, onGuarded));
    },

    async linkByCode(phone, code, onGuarded) {
      if (!hello) throw new WorldError('not_found', 'no device is waiting for a code of this number');
      return link(phone, await passGuard(phone, await agreeByCode(phone, code, hello), onGuarded));
    },
  };
}

function codeStage(stage: string, content: Node[]): Node {
  return node('link_code_companion_reg', { stage }, content);
}
