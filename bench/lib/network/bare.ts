import { join } from 'node:path';
import { type BinaryNode, generateMessageIDV2, makeWASocket, type WASocket } from 'baileys';
import { createProxyRoutes } from '../../../packages/gateway/src/egress/index.ts';
import { createSystemClock } from '../../../packages/gateway/src/kernel/index.ts';
import { type BareLink, openBareLinks } from './bare-links.ts';
import { type Contender, type ContenderOptions, jidOf } from './contender.ts';

interface Held {
  readonly sock: WASocket;
  readonly link: BareLink;
  /** Who waits for the network's acknowledgement, by message id. */
  readonly acks: Map<string, PromiseWithResolvers<void>>;
}

/** The floor: the library's sockets as they come, with nothing durable behind them. */
export function createBare({ address, folder }: ContenderOptions): Contender {
  const links = openBareLinks(join(folder, 'bare.db'));
  const fresh = new Map<string, { link: BareLink; closed: Promise<void> }>();
  const sessions = new Map<string, Held>();
  silenceLibsignal();
  // History and app state lie on the sandbox's media server.
  const { mediaCaPem: authority, mediaHost } = address;
  const { dispatcher } = createProxyRoutes({ clock: createSystemClock(), authority, mediaHost }).to('');

  const connect = (auth: BareLink): WASocket =>
    makeWASocket({ auth, waWebSocketUrl: address.url, logger: silent, options: { dispatcher } });

  function hold(sock: WASocket, link: BareLink): Held {
    const acks: Held['acks'] = new Map();
    sock.ws.on('CB:ack,class:message', ({ attrs: { id = '', error } }: BinaryNode) => {
      if (error === undefined) acks.get(id)?.resolve();
      else acks.get(id)?.reject(new Error(`refused with ${error}`));
    });
    return { sock, link, acks };
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
    async send(from, to, text) {
      const held = sessions.get(from);
      if (!held) throw new Error(`${from} is not logged in`);
      const { sock, acks } = held;
      const messageId = generateMessageIDV2(sock.user?.id);
      const ack = Promise.withResolvers<void>();
      acks.set(messageId, ack);
      await sock.sendMessage(jidOf(to), { text }, { messageId });
      await ack.promise;
      acks.delete(messageId);
    },
    async close() {
      for (const { sock, link } of sessions.values()) {
        await sock.end(undefined);
        link.save();
      }
      links.close();
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

/** libsignal tells the console of every session that it opens or closes. */
function silenceLibsignal(): void {
  console.info = () => {};
  console.warn = () => {};
  console.log = () => {};
}
