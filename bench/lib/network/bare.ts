import { Agent } from 'node:https';
import { join } from 'node:path';
import {
  type AnyMessageContent,
  type BinaryNode,
  type GroupMetadata,
  generateMessageIDV2,
  makeWASocket,
  type WASocket,
} from 'baileys';
import { createSystemClock } from '../../../packages/gateway/src/kernel/index.ts';
import { createProxyRoutes } from '../../../packages/gateway/src/platform/egress/index.ts';
import { type BareLink, openBareLinks } from './bare-links.ts';
import { type Contender, type ContenderOptions, jidOf } from './contender.ts';

interface Held {
  readonly sock: WASocket;
  readonly link: BareLink;
  /** Sends that wait for the network's acknowledgement, by message id. */
  readonly acks: Map<string, PromiseWithResolvers<void>>;
}

export interface Bare extends Contender {
  socketOf(phone: string): WASocket;
  /** Resolves when the network has acknowledged it. */
  sendContent(from: string, to: string, content: AnyMessageContent): Promise<void>;
}

/** The floor: the library's unmodified sockets, without any durable storage. */
export function createBare({ address, folder }: ContenderOptions): Bare {
  const links = openBareLinks(join(folder, 'bare.db'));
  const fresh = new Map<string, { link: BareLink; closed: Promise<void> }>();
  const sessions = new Map<string, Held>();
  silenceLibsignal();
  // History and app state are on the sandbox's media server.
  const { mediaCaPem: authority, mediaHost } = address;
  const routes = createProxyRoutes({ clock: createSystemClock(), authority, mediaHost });
  const { dispatcher } = routes.to('');
  const fetchAgent = new Agent({ ca: authority });
  // The library's documentation requires this cache for sends to groups, or metadata is queried with every message.
  const groups = new Map<string, GroupMetadata>();

  function connect(auth: BareLink): WASocket {
    const sock = makeWASocket({
      ...{ auth, waWebSocketUrl: address.url, logger: silent, options: { dispatcher }, fetchAgent },
      cachedGroupMetadata: async (jid) => groups.get(jid) ?? keepGroup(await sock.groupMetadata(jid)),
    });
    return sock;
  }

  function keepGroup(group: GroupMetadata): GroupMetadata {
    groups.set(group.id, group);
    return group;
  }

  function hold(sock: WASocket, link: BareLink): Held {
    const acks: Held['acks'] = new Map();
    sock.ws.on('CB:ack,class:message', ({ attrs: { id = '', error } }: BinaryNode) => {
      if (error === undefined) acks.get(id)?.resolve();
      else acks.get(id)?.reject(new Error(`refused with ${error}`));
    });
    return { sock, link, acks };
  }

  function heldOf(phone: string): Held {
    const held = sessions.get(phone);
    if (!held) throw new Error(`${phone} is not logged in`);
    return held;
  }

  async function sendContent(from: string, to: string, content: AnyMessageContent): Promise<void> {
    const { sock, acks } = heldOf(from);
    const messageId = generateMessageIDV2(sock.user?.id);
    const ack = Promise.withResolvers<void>();
    acks.set(messageId, ack);
    await sock.sendMessage(to, content, { messageId });
    await ack.promise;
    acks.delete(messageId);
  }

  return {
    showQr: (phone) =>
      new Promise((resolve, reject) => {
        const link = links.create(phone);
        const closed = Promise.withResolvers<void>();
        fresh.set(phone, { link, closed: closed.promise });
        let agreed = false;
        connect(link).ev.on('connection.update', ({ qr, isNewLogin, connection, lastDisconnect }) => {
          if (qr !== undefined) resolve(qr);
          if (isNewLogin) agreed = true;
          if (connection !== 'close') return;
          if (agreed) closed.resolve();
          else reject(lastDisconnect?.error);
        });
      }),
    async linked(phone) {
      await fresh.get(phone)?.closed;
    },
    logIn: (phone) =>
      new Promise((resolve, reject) => {
        const link = fresh.get(phone)?.link ?? links.open(phone);
        const sock = connect(link);
        sock.ev.on('connection.update', ({ connection, lastDisconnect }) => {
          if (connection === 'open') resolve();
          if (connection === 'close') reject(lastDisconnect?.error);
        });
        sessions.set(phone, hold(sock, link));
      }),
    send: (from, to, text) => sendContent(from, jidOf(to), { text }),
    sendContent,
    socketOf: (phone) => heldOf(phone).sock,
    async close() {
      for (const { sock, link } of sessions.values()) {
        await sock.end(undefined);
        link.save();
      }
      links.close();
      fetchAgent.destroy();
    },
  };
}

const silent = {
  level: 'silent',
  child: () => silent,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
};

/** libsignal logs every session that it opens or closes. */
function silenceLibsignal(): void {
  console.info = () => {};
  console.warn = () => {};
  console.log = () => {};
}
