import { createHash, randomBytes } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, vi } from 'vitest';
import { WaClient, type WaClientEventMap } from 'zapo-js/client';
import { buildAddonAdditionalData, decryptAddonPayload, encryptAddonPayload } from 'zapo-js/message';
import { proto } from 'zapo-js/proto';
import { createStore } from 'zapo-js/store';
import type { Gateway } from '../conformance/gateway.ts';
import { type Someone, WATCHING } from '../conformance/numbers.ts';

/** Where an unmodified client of the network connects to, and whom it trusts there. */
interface Endpoint {
  readonly url: string;
  readonly root_public_key: string;
  readonly media_ca: string;
}

type EventName = keyof WaClientEventMap;
type EventOf<K extends EventName> = Parameters<WaClientEventMap[K]>[0];

/** A linked device of somebody's phone, run by a client that shares no code with the gateway. */
export interface ForeignClient {
  readonly client: WaClient;
  readonly owner: Someone;
  /** Waits for the first event that fits, also among those that came already. */
  next<K extends EventName>(name: K, fits?: (event: EventOf<K>) => boolean): Promise<EventOf<K>>;
  /** Those that came so far. */
  seen<K extends EventName>(name: K): EventOf<K>[];
  /** Forgets what it has agreed on with other devices, as after a restored backup. */
  loseSessions(): Promise<void>;
  /** Chooses an option of a poll. */
  vote(poll: EventOf<'message'>, option: string, to: string): Promise<void>;
  /** The options that somebody chose in a poll of the client's owner, as hashes. */
  readVote(vote: EventOf<'message'>, messageSecret: Uint8Array): Promise<string[]>;
  close(): Promise<void>;
}

export type SentContent = Parameters<WaClient['sendMessage']>[1];

const ROOT_SERIAL = 0;
const nothing = (): void => {};
const SILENT = {
  level: 'error',
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
} as const;
const HEARD = ['message', 'message_addon', 'message_protocol', 'message_receipt', 'connection'] as const;

/** Pairs a client with a phone, by a QR that the phone scans or by a code that its owner enters. */
export async function linkForeignClient(
  gateway: Gateway,
  owner: Someone,
  by: 'qr' | 'code' = 'qr',
): Promise<ForeignClient> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const linked = await pairForeignClient(gateway, owner, by);
    if (linked) return linked;
  }
  throw new Error('the client has forgotten each of its links');
}

const MOST_TRIES = 5;
const RESTART = 515;

/**
 * After a pairing the network asks for a new connection (515). This client makes one by itself; when it reads the request before it has hung
 * up, it takes it for the end of the link that it has just been given, and forgets it. Then it has to be linked once more: undefined.
 */
async function pairForeignClient(
  gateway: Gateway,
  owner: Someone,
  by: 'qr' | 'code',
): Promise<ForeignClient | undefined> {
  const endpoint = await gateway.sandbox<Endpoint>('GET', '/endpoint');
  setDefaultCACertificates([...getCACertificates('default'), endpoint.media_ca]);
  const store = createMemoryStore();
  const sessionId = owner.phone;
  const client = new WaClient(
    {
      store,
      sessionId,
      chatSocketUrls: [endpoint.url],
      testHooks: {
        noiseRootCa: { publicKey: Buffer.from(endpoint.root_public_key, 'base64'), serial: ROOT_SERIAL },
      },
      history: { enabled: true },
    },
    SILENT,
  );
  const heard: { name: EventName; event: unknown }[] = [];
  for (const name of HEARD) client.on(name, (event: unknown) => heard.push({ name, event }));
  const seen = <K extends EventName>(name: K) =>
    heard.flatMap((one) => (one.name === name ? [one.event as EventOf<K>] : []));

  const paired = new Promise<void>((resolve) => client.once('auth_paired', () => resolve()));
  await (by === 'qr' ? showQr(client, gateway, owner) : askForCode(client, gateway, owner));
  await paired;
  const hasForgotten = (): boolean => seen('connection').some(({ code }) => code === RESTART);
  await vi.waitFor(() => {
    if (!hasForgotten()) expect(client.getCredentials()?.lastSuccessTs).toBeDefined();
  }, WATCHING);
  if (hasForgotten()) {
    await client.disconnect();
    return undefined;
  }

  return {
    client,
    owner,
    seen,
    next: (name, fits = () => true) =>
      vi.waitFor(() => {
        const found = seen(name).find(fits);
        if (!found) throw new Error(`no ${name} of this kind came`);
        return found;
      }, WATCHING),
    loseSessions: () => store.session(sessionId).session.clear(),
    async vote(poll, option, to) {
      const { stanzaId = '', message, senderJid = '' } = poll;
      const voter = accountOf(
        senderJid.endsWith('@lid') ? client.getCredentials()?.meLid : client.getCredentials()?.meJid,
      );
      const payload = proto.Message.PollVoteMessage.encode({
        selectedOptions: [createHash('sha256').update(option).digest()],
      }).finish();
      const iv = randomBytes(12);
      const encPayload = await encryptAddonPayload({
        messageSecret: message?.messageContextInfo?.messageSecret ?? Buffer.alloc(0),
        stanzaId,
        parentMsgOriginalSender: accountOf(senderJid),
        modificationSender: voter,
        modificationType: 'Poll Vote',
        payload,
        iv,
        additionalData: buildAddonAdditionalData(stanzaId, voter),
      });
      await client.sendMessage(to, {
        pollUpdateMessage: {
          pollCreationMessageKey: { remoteJid: accountOf(senderJid), fromMe: false, id: stanzaId },
          vote: { encPayload, encIv: iv },
        },
      });
    },
    // It does so by itself too, but as the author of its own polls it names its device, which nobody else does; later releases try all names.
    async readVote({ message, senderJid }, messageSecret) {
      const { pollCreationMessageKey: key, vote } = message?.pollUpdateMessage ?? {};
      const [stanzaId, voter] = [key?.id ?? '', accountOf(senderJid)];
      const plaintext = await decryptAddonPayload({
        messageSecret,
        stanzaId,
        parentMsgOriginalSender: accountOf(client.getCredentials()?.meLid),
        modificationSender: voter,
        modificationType: 'Poll Vote',
        ciphertext: vote?.encPayload ?? Buffer.alloc(0),
        iv: vote?.encIv ?? Buffer.alloc(0),
        additionalData: buildAddonAdditionalData(stanzaId, voter),
      });
      const { selectedOptions }: { selectedOptions: Uint8Array[] } =
        proto.Message.PollVoteMessage.decode(plaintext);
      return selectedOptions.map((hash) => Buffer.from(hash).toString('hex'));
    },
    close: () => client.disconnect(),
  };
}

async function showQr(client: WaClient, gateway: Gateway, { phone }: Someone): Promise<void> {
  const shown = new Promise<string>((resolve) => client.once('auth_qr', ({ qr }) => resolve(qr)));
  await client.connect();
  await gateway.sandbox('POST', `/phones/${phone}/scan`, { qr: await shown });
}

async function askForCode(client: WaClient, gateway: Gateway, { phone }: Someone): Promise<void> {
  const ready = new Promise<void>((resolve) => client.once('auth_qr', () => resolve()));
  await client.connect();
  await ready;
  const code = await client.requestPairingCode(phone);
  await gateway.sandbox('POST', `/phones/${phone}/enter-code`, { code });
}

/** The library keeps everything in memory but the credentials, for which it wants a store of its own. */
function createMemoryStore(): ReturnType<typeof createStore> {
  const auth = () => {
    let kept: unknown = null;
    return {
      load: async () => kept,
      save: async (credentials: unknown) => {
        kept = credentials;
      },
      clear: async () => {
        kept = null;
      },
    };
  };
  const own = { stores: { auth }, caches: {} } as unknown as Parameters<typeof createStore>[0]['backends'];
  return createStore({
    backends: { own } as never,
    providers: { auth: 'own', messages: 'memory' } as never,
    cacheProviders: { messageSecret: 'memory', participants: 'memory', deviceList: 'memory' },
  });
}

/** The address of a person, without that of a device. */
function accountOf(jid: string | undefined): string {
  return (jid ?? '').replace(/:\d+@/, '@');
}
