import { Curve, type KeyPair, proto } from 'baileys';
import {
  type GuardedScreen,
  type PasskeyRequest,
  type PhoneNumber,
  type World,
  WorldError,
} from '../../../world/index.ts';
import { Refusal } from '../../errors.ts';
import { type Clock, type Random, unixSeconds } from '../../ports.ts';
import { child, childBytes, type Node, node, SERVER } from '../../transport/nodes.ts';
import { codeToCompare, isHandoffProof, matchesCommitment, openPairingRequest } from './phone-crypto.ts';
import { decodedOrRefused, malformed, type Prologue, readPrologue } from './prologue.ts';

/**
 * The linking of a phone that is guarded by a passkey, as the network and the phone run it:
 *
 *     asked ──assertion──▶ signed ──the phone's key──▶ continued ──the client's nonce──▶ revealed ──sealed request──▶ agreed
 *       ▲                                                                                   │
 *       └───────────────────────── asked again: all earlier steps are void                  └ the code, if it must be compared
 *
 * Ten minutes after the request every step is refused.
 */
export interface Ceremony {
  readonly phone: PhoneNumber;
  /** The secret that the client chose for its link; rejects with `gone` when the ceremony ends without one. */
  readonly agreed: Promise<Buffer>;
  /** Undefined after the end. */
  readonly screen: GuardedScreen | undefined;
  /** The content of the answer to a client's query; undefined for queries of another subject. */
  answer(order: Node): Promise<Answer> | undefined;
  end(): void;
}

export interface Answer {
  readonly content?: Node[];
  /** Runs after the answer has left. */
  readonly onSent?: () => void;
}

export interface CeremonyParts {
  readonly passkeys: World['passkeys'];
  readonly clock: Clock;
  readonly random: Random;
  readonly phone: PhoneNumber;
  readonly client: {
    readonly noiseKey: Buffer;
    readonly identityKey: Buffer;
    /** Of its registration. */
    readonly deviceType?: number | undefined;
  };
  /** A linked device logs in: while the owner is near, the passkey is enough, and the phone is not asked. */
  readonly isLogin?: true;
  /** The secret from the scan, or agreed by code. */
  readonly secret: Buffer | undefined;
  readonly send: (stanza: Node) => void;
}

type Stage =
  | { readonly name: 'asked' }
  | { readonly name: 'signed'; readonly prologue: Prologue }
  | { readonly name: 'continued'; readonly prologue: Prologue; readonly primary: Primary }
  | { readonly name: 'revealed'; readonly prologue: Prologue; readonly primary: Primary };

interface Primary {
  readonly ephemeral: KeyPair;
  readonly nonce: Uint8Array;
}

interface Round {
  readonly question: PasskeyRequest | undefined;
  readonly askedAt: number;
  readonly ref: string;
  stage: Stage;
}

const PATIENCE_MS = 600_000;
/** The time for which a phone waits in front of the screen, with an allowance for the wire. */
const HANDOFF_MS = 300_000 + 10_000;
const NONCE_BYTES = 32;
const SECRET_BYTES = 32;
const NO_SECRET = Buffer.of();

export function startCeremony(parts: CeremonyParts): Ceremony {
  const { passkeys, clock, random, phone, client, secret, send } = parts;
  const { promise: agreed, resolve, reject } = Promise.withResolvers<Buffer>();
  let patience: { cancel(): void } | undefined;
  let screen: GuardedScreen = { stage: 'continue' };
  let isOver = false;
  let round = ask();

  function end(why = 'the device that wanted to be linked went away'): void {
    isOver = true;
    patience?.cancel();
    reject(new WorldError('gone', why));
  }

  function agree(chosen: Buffer): void {
    resolve(chosen);
    end();
  }

  function ask(): Round {
    patience?.cancel();
    patience = clock.after(PATIENCE_MS, () => end('the passkey was not used in time'));
    screen = { stage: 'continue' };
    const question = passkeys.request(phone);
    const hasOptions = question && !passkeys.consumeFault(phone, 'passkey_options_missing');
    send(notification('passkey_prologue_request', hasOptions ? [options(question)] : undefined));
    const ref = `2@${Buffer.from(random.bytes(48)).toString('base64url')}`;
    return { question, askedAt: clock.now(), ref, stage: { name: 'asked' } };
  }

  async function takePrologue(order: Node): Promise<Answer> {
    const mine = round;
    const { question, askedAt, ref } = mine;
    if (!question || mine.stage.name !== 'asked') throw malformed();
    const prologue = readPrologue(order);
    const isSameClient = parts.isLogin || prologue.deviceType === client.deviceType;
    if (prologue.ref !== ref || !isSameClient) throw malformed();
    if (prologue.proof) {
      const isLate = clock.now() - askedAt >= HANDOFF_MS;
      if (isLate || !secret || !isHandoffProof(secret, prologue.payload, prologue.proof)) throw malformed();
    }
    const isGood = await passkeys.verify(phone, question.challenge, prologue.assertion);
    if (!isGood || passkeys.consumeFault(phone, 'passkey_refused')) throw new Refusal(403, 'forbidden');
    if (passkeys.consumeFault(phone, 'passkey_second_request')) {
      round = ask();
      return {};
    }
    mine.stage = { name: 'signed', prologue };
    if (parts.isLogin && clock.now() - askedAt < HANDOFF_MS) return { onSent: () => agree(NO_SECRET) };
    return { onSent: () => continueOn(mine, prologue) };
  }

  function continueOn(mine: Round, prologue: Prologue): void {
    if (isOver || mine !== round || passkeys.consumeFault(phone, 'passkey_no_continuation')) return;
    const primary = { ephemeral: Curve.generateKeyPair(), nonce: random.bytes(NONCE_BYTES) };
    mine.stage = { name: 'continued', prologue, primary };
    const identity = proto.PrimaryEphemeralIdentity.encode({
      publicKey: primary.ephemeral.public,
      nonce: primary.nonce,
    }).finish();
    send(notification('crsc_continuation', [node('primary_ephemeral_identity', {}, identity)]));
  }

  function takeNonce(nonce: Buffer | undefined): Answer {
    const { stage } = round;
    if (stage.name !== 'continued' || nonce?.length !== NONCE_BYTES) throw malformed();
    const { prologue, primary } = stage;
    if (!matchesCommitment(prologue.commitment, prologue.identity, nonce)) throw malformed();
    if (!prologue.proof) {
      const code = codeToCompare(nonce, primary.ephemeral.public, primary.nonce);
      screen = { stage: 'compare', code };
    }
    round.stage = { name: 'revealed', prologue, primary };
    return {};
  }

  function takeRequest(request: Buffer | undefined): Answer {
    const { stage, ref } = round;
    if (stage.name !== 'revealed' || !request) throw malformed();
    const { prologue, primary } = stage;
    const { encryptedPayload, iv } = decodedOrRefused(() => proto.EncryptedPairingRequest.decode(request));
    if (!encryptedPayload || !iv) throw malformed();
    const opened = openPairingRequest(
      {
        ephemeral: primary.ephemeral,
        companionEphemeral: prologue.publicKey,
        deviceType: prologue.deviceType,
        ref,
      },
      { sealed: encryptedPayload, iv },
    );
    if (!opened) throw malformed();
    const said = decodedOrRefused(() => proto.PairingRequest.decode(opened));
    const isSame =
      client.noiseKey.equals(said.companionPublicKey ?? Buffer.of()) &&
      client.identityKey.equals(said.companionIdentityKey ?? Buffer.of());
    if (!isSame || said.advSecret?.length !== SECRET_BYTES) throw malformed();
    const chosen = Buffer.from(said.advSecret);
    return {
      onSent: () => agree(chosen),
    };
  }

  function takeQuestion(content: Node | undefined): Answer {
    if (!content) throw new Refusal(404, 'item-not-found');
    return { content: [content] };
  }

  function options(question: PasskeyRequest): Node {
    return node('passkey_request_options', {}, Buffer.from(JSON.stringify(question)));
  }

  function notification(type: string, content: Node[] | undefined): Node {
    const id = Buffer.from(random.bytes(8)).toString('hex');
    return node('notification', { from: SERVER, type, id, t: unixSeconds(clock) }, content);
  }

  async function take(tag: string, order: Node): Promise<Answer> {
    if (isOver) throw new Refusal(410, 'gone');
    switch (tag) {
      case 'passkey_request_options':
        return takeQuestion(round.question && options(round.question));
      case 'ref':
        return takeQuestion(node('ref', {}, Buffer.from(round.ref)));
      case 'passkey_prologue':
        return takePrologue(order);
      case 'companion_nonce':
        return takeNonce(childBytes(order, tag));
      default:
        return takeRequest(childBytes(order, tag));
    }
  }

  agreed.catch(ignoreGone);

  return {
    phone,
    agreed,
    get screen() {
      return isOver ? undefined : screen;
    },
    answer(order) {
      const tag = ORDERS.find((candidate) => child(order, candidate));
      return tag === undefined ? undefined : take(tag, order);
    },
    end,
  };
}

const ORDERS = [
  'passkey_request_options',
  'ref',
  'passkey_prologue',
  'companion_nonce',
  'encrypted_pairing_request',
];

/** For `catch`: the ceremony ended without an agreement, which is an error only for code that awaits `agreed`. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof WorldError && error.code === 'gone')) throw error;
}
