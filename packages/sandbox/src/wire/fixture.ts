import { randomBytes } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  type AuthenticationState,
  type BaileysEventMap,
  type BinaryNode,
  type ConnectionState,
  DisconnectReason,
  initAuthCreds,
  makeWASocket,
  type SignalDataTypeMap,
  type UserFacingSocketConfig,
  type WAMessage,
  type WASocket,
} from 'baileys';
import { vi } from 'vitest';
import { createTestWorld, type TestWorld } from '../world/fixture.ts';
import type { Actor, Bubble, Content, PhoneNumber } from '../world/index.ts';
import { startWire, type Wire } from './index.ts';

/** For tests only: a small world on the wire, with real, unmodified clients. */
export interface TestNetwork {
  readonly world: TestWorld;
  readonly wire: Wire;
  /** The dispatcher that clients download with. */
  readonly media: { dispatcher: Dispatcher; onDownload(path: string): void };
  /** A client that a phone has linked by QR, open and synchronized. */
  link(phone: PhoneNumber, config?: Partial<UserFacingSocketConfig>): Promise<Client>;
  /** The same client again, with its stored credentials. */
  reconnect(client: Client, config?: Partial<UserFacingSocketConfig>): Promise<Client>;
  connect(auth: AuthenticationState, config?: Partial<UserFacingSocketConfig>): WASocket;
  stop(): Promise<void>;
}

export interface Client {
  readonly sock: WASocket;
  readonly auth: AuthenticationState;
  readonly sessionId: string;
}

export const quiet = {
  level: 'silent',
  child: () => quiet,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
};

export async function startTestNetwork(
  options: Parameters<typeof createTestWorld>[0] = {},
): Promise<TestNetwork> {
  const world = createTestWorld(options);
  const wire = await startWire({ world, clock: world.clock, random: { bytes: randomBytes } });
  const open = new Set<WASocket>();
  setDefaultCACertificates([...getCACertificates(), wire.mediaCaPem]);
  const media: TestNetwork['media'] = {
    onDownload() {},
    dispatcher: mediaAt(wire.mediaHost, (path) => media.onDownload(path)),
  };

  const connect: TestNetwork['connect'] = (auth, config = {}) => {
    const sock = makeWASocket({
      auth,
      waWebSocketUrl: wire.url,
      logger: quiet,
      options: { dispatcher: media.dispatcher },
      ...config,
    });
    open.add(sock);
    return sock;
  };

  const settle = async (sock: WASocket, auth: AuthenticationState): Promise<Client> => {
    await event(sock, 'connection.update', ({ connection }) => connection === 'open');
    return { sock, auth, sessionId: auth.creds.me?.id ?? '' };
  };

  return {
    world,
    wire,
    media,
    connect,
    async link(phone, config) {
      const auth = memoryAuth();
      const sock = connect(auth, config);
      const { qr } = await event(sock, 'connection.update', (update) => update.qr !== undefined);
      const closed = closing(sock);
      await wire.pairing.scan(phone, qr ?? '');
      await closed;
      return settle(connect(auth, config), auth);
    },
    async reconnect({ auth }, config) {
      return settle(connect(auth, config), auth);
    },
    async stop() {
      await Promise.all([...open].map((sock) => sock.end(undefined)));
      await wire.stop();
      world.close();
    },
  };
}

/** The library downloads URLs without a host from the real network's media server; here that name resolves to ours. */
export function mediaAt(host: string, onDownload = (_path: string): void => {}): Dispatcher {
  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    onDownload(options.path);
    const isReal = String(options.origin) === 'https://mmg.whatsapp.net';
    return globalDispatcher(globalThis).dispatch(
      { ...options, ...(isReal && { origin: `https://${host}` }) },
      handler,
    );
  };
  return { dispatch } as Dispatcher;
}

/** The default dispatcher of `fetch`. */
const globalDispatcher = (all: Record<symbol, unknown>) =>
  all[Symbol.for('undici.globalDispatcher.1')] as Dispatcher;

type Dispatcher = NonNullable<RequestInit['dispatcher']>;

/** The first matching event of its kind; the test's own timeout bounds the wait. */
export function event<K extends keyof BaileysEventMap>(
  sock: WASocket,
  name: K,
  fits: (value: BaileysEventMap[K]) => boolean = () => true,
): Promise<BaileysEventMap[K]> {
  return new Promise((resolve) => {
    const listener = (value: BaileysEventMap[K]): void => {
      if (!fits(value)) return;
      sock.ev.off(name, listener);
      resolve(value);
    };
    sock.ev.on(name, listener);
  });
}

/** The first matching stanza of its kind, as received. */
export function stanza(
  { sock }: Pick<Client, 'sock'>,
  name: string,
  fits: (node: BinaryNode) => boolean = () => true,
): Promise<BinaryNode> {
  return new Promise((resolve) => {
    const listener = (node: BinaryNode): void => {
      if (!fits(node)) return;
      sock.ws.off(`CB:${name}`, listener);
      resolve(node);
    };
    sock.ws.on(`CB:${name}`, listener);
  });
}

/** Sends a message for exactly these devices, with the client's own ciphertexts; returns the ack. */
export async function sendTo(
  client: Client,
  { id, to, devices, extra = [] }: { id: string; to: string; devices: string[]; extra?: BinaryNode[] },
): Promise<{ copies: BinaryNode[]; ack: BinaryNode }> {
  const { sock } = client;
  await sock.assertSessions(devices, false);
  const { nodes: copies } = await sock.createParticipantNodes(devices, { conversation: id }, {});
  const acked = stanza(client, 'ack,class:message', ({ attrs }) => attrs.id === id);
  await sock.sendNode({
    tag: 'message',
    attrs: { id, to, type: 'text' },
    content: [{ tag: 'participants', attrs: {}, content: copies }, ...extra],
  });
  return { copies, ack: await acked };
}

/** The status code that the client derived from the end of the connection. */
export async function closing(sock: WASocket): Promise<number | undefined> {
  const { lastDisconnect } = await event(
    sock,
    'connection.update',
    ({ connection }) => connection === 'close',
  );
  return statusCode(lastDisconnect);
}

export const { restartRequired, loggedOut, connectionReplaced } = DisconnectReason;

function statusCode(last: ConnectionState['lastDisconnect']): number | undefined {
  const error = last?.error;
  return error && 'output' in error ? error.output.statusCode : undefined;
}

export function memoryAuth(): AuthenticationState {
  const kept = new Map<string, unknown>();
  return {
    creds: initAuthCreds(),
    keys: {
      async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
        const found: { [id: string]: SignalDataTypeMap[T] } = {};
        for (const id of ids) {
          const value = kept.get(`${type}/${id}`) as SignalDataTypeMap[T] | undefined;
          if (value !== undefined) found[id] = value;
        }
        return found;
      },
      async set(data) {
        for (const [type, values] of Object.entries(data)) {
          for (const [id, value] of Object.entries(values ?? {})) {
            if (value === null) kept.delete(`${type}/${id}`);
            else kept.set(`${type}/${id}`, value);
          }
        }
      },
    },
  };
}

export type Sending = Parameters<WASocket['sendMessage']>;

/** Sends from a client and returns the id that it chose. */
export async function sendFrom({ sock }: Client, ...[to, content, options]: Sending): Promise<string> {
  return (await sock.sendMessage(to, content, options))?.key.id ?? '';
}

/** The message with that id, once it is on the phone. */
export function seen({ world }: TestNetwork, phone: PhoneNumber, id: string): Promise<Bubble> {
  return vi.waitFor(() => {
    const bubble = world.messages.find(phone, id);
    if (!bubble) throw new Error(`${id} is not on ${phone} yet`);
    return bubble;
  });
}

/** Sends from a phone and returns the client's decoded message. */
export async function receiveFrom(
  { world }: TestNetwork,
  { sock }: Client,
  sender: Actor,
  to: string,
  content: Content,
): Promise<WAMessage> {
  const id = world.messages.newId();
  const arrived = event(sock, 'messages.upsert', ({ messages }) => messages[0]?.key.id === id);
  world.messages.send(sender, { id, to, content });
  const [message] = (await arrived).messages;
  if (!message) throw new Error('empty event');
  return message;
}
