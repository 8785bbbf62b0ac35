import { createHash, randomBytes } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, vi } from 'vitest';
import { WaClient, type WaClientEventMap } from 'zapo-js/client';
import { decryptAddonPayload, encryptAddonPayload } from 'zapo-js/message';
import { proto } from 'zapo-js/proto';
import { createStore } from 'zapo-js/store';
import type { Gateway } from '../conformance/gateway.ts';
import { type Someone, WATCHING } from '../conformance/numbers.ts';

/** Address and trust anchors for an unmodified client. */
interface Endpoint {
  readonly url: string;
  readonly root_public_key: string;
  readonly media_ca: string;
}

type EventName = keyof WaClientEventMap;
type EventOf<K extends EventName> = Parameters<WaClientEventMap[K]>[0];

/** A linked device of a phone, run by a client that shares no code with the gateway. */
export interface ForeignClient {
  readonly client: WaClient;
  readonly owner: Someone;
  /** Waits for the first matching event, including earlier ones. */
  next<K extends EventName>(name: K, fits?: (event: EventOf<K>) => boolean): Promise<EventOf<K>>;
  /** Events so far. */
  seen<K extends EventName>(name: K): EventOf<K>[];
  /** Deletes its Signal sessions, as after a restored backup. */
  loseSessions(): Promise<void>;
  /** Chooses an option of a poll. */
  vote(poll: EventOf<'message'>, option: string, to: string): Promise<void>;
  /** Encrypts an update of a message under the secret of that message. */
  seal(about: AboutMessage, kind: UpdateKind, payload: Uint8Array): Promise<Sealed>;
  /** The plaintext of an update that was sent to this client. */
  open(about: AboutMessage, kind: UpdateKind, updater: string, sealed: Partial<Sealed>): Promise<Uint8Array>;
  /** Chosen options in a poll of the client's owner, as hashes. */
  readVote(vote: EventOf<'message'>, messageSecret: Uint8Array): Promise<string[]>;
  close(): Promise<void>;
}

/** A message that an update is about. */
export interface AboutMessage {
  readonly id: string;
  readonly author: string;
  readonly secret: Uint8Array;
}

interface Sealed {
  readonly encPayload: Uint8Array;
  readonly encIv: Uint8Array;
}

type KnownKind = Parameters<typeof encryptAddonPayload>[0]['modificationType'];
/** Kinds of updates, by the last part of their key's derivation; this release does not name the last two. */
export type UpdateKind = KnownKind | 'Poll Edit' | 'Poll Add Option';

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
const EVENTS = ['message', 'message_addon', 'message_protocol', 'message_receipt', 'connection'] as const;

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
  throw new Error('the client has dropped each of its links');
}

const MOST_TRIES = 5;
const RESTART = 515;

/**
 * After a pairing the network requests a new connection (515). This client reconnects automatically; when it reads the request
 * before its own hang-up, it takes it for the end of the new link, and deletes it. Then it has to be linked again: undefined.
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
  const received: { name: EventName; event: unknown }[] = [];
  for (const name of EVENTS) client.on(name, (event: unknown) => received.push({ name, event }));
  const seen = <K extends EventName>(name: K) =>
    received.flatMap((one) => (one.name === name ? [one.event as EventOf<K>] : []));

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
      const secret = message?.messageContextInfo?.messageSecret ?? Buffer.alloc(0);
      const about = { id: stanzaId, author: accountOf(senderJid), secret };
      const vote = await sealAs(voter, about, 'Poll Vote', payload);
      await client.sendMessage(to, {
        pollUpdateMessage: {
          pollCreationMessageKey: { remoteJid: accountOf(senderJid), fromMe: false, id: stanzaId },
          vote,
        },
      });
    },
    seal: (about, kind, payload) => sealAs(accountOf(client.getCredentials()?.meLid), about, kind, payload),
    open: openSealed,
    // The library has this too, but as the author of its own polls it uses its device address, unlike all others; later releases try all
    // addresses.
    async readVote({ message, senderJid }, messageSecret) {
      const { pollCreationMessageKey: key, vote } = message?.pollUpdateMessage ?? {};
      const author = accountOf(client.getCredentials()?.meLid);
      const about = { id: key?.id ?? '', author, secret: messageSecret };
      const plaintext = await openSealed(about, 'Poll Vote', accountOf(senderJid), { ...vote });
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

/** The library keeps everything in memory but the credentials, for which it needs a store. */
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

async function sealAs(
  updater: string,
  { id, author, secret }: AboutMessage,
  kind: UpdateKind,
  payload: Uint8Array,
): Promise<Sealed> {
  const encIv = randomBytes(12);
  const encPayload = await encryptAddonPayload({
    messageSecret: secret,
    stanzaId: id,
    parentMsgOriginalSender: author,
    modificationSender: updater,
    modificationType: kind as KnownKind,
    payload,
    iv: encIv,
  });
  return { encPayload, encIv };
}

async function openSealed(
  { id, author, secret }: AboutMessage,
  kind: UpdateKind,
  updater: string,
  { encPayload, encIv }: Partial<Sealed>,
): Promise<Uint8Array> {
  return decryptAddonPayload({
    messageSecret: secret,
    stanzaId: id,
    parentMsgOriginalSender: author,
    modificationSender: updater,
    modificationType: kind as KnownKind,
    ciphertext: encPayload ?? Buffer.alloc(0),
    iv: encIv ?? Buffer.alloc(0),
  });
}

/** The address of a person, without device. */
function accountOf(jid: string | undefined): string {
  return (jid ?? '').replace(/:\d+@/, '@');
}
