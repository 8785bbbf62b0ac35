import type { BinaryNode, WASocket } from 'baileys';
import type { Jid } from '../../content.ts';
import type { NetworkEvent } from '../../events.ts';
import type { PresenceOperations } from '../../operations.ts';
import { accountOf, boundedSeconds, isGroup, isMe } from '../convert/index.ts';
import { personAt } from '../receive/contact-book.ts';
import type { Addressing } from '../send/addressing.ts';
import { ask, type SessionContext } from '../session-context.ts';

/** More contacts than anybody watches; the oldest subscriptions are not renewed then. */
const MOST_SUBSCRIPTIONS = 2_000;
/** The network answers subscriptions only to those who are online themselves. */
const ONLINE_MS = 5_000;

interface Presence extends PresenceOperations {
  /** Subscribes again; the network forgets subscriptions with the connection. */
  attach(sock: WASocket): void;
  renew(sock: WASocket): void;
}

/** Typing and presence, heard on the socket: the library makes one of “stopped typing” and “came online”. */
export function createPresence(context: SessionContext, addressing: Pick<Addressing, 'of'>): Presence {
  const subscribed = new Set<Jid>();
  let count = 0;

  async function subscribe(sock: WASocket, contacts: Iterable<Jid>): Promise<void> {
    await sock.sendPresenceUpdate('available');
    for (const contact of contacts) await sock.presenceSubscribe(contact);
    context.clock.after(ONLINE_MS, () => {
      sock.sendPresenceUpdate('unavailable').catch(() => {});
    });
  }

  function remember(contact: Jid): void {
    subscribed.delete(contact);
    subscribed.add(contact);
    const [oldest] = subscribed;
    if (subscribed.size > MOST_SUBSCRIPTIONS && oldest !== undefined) subscribed.delete(oldest);
  }

  function happening(kind: string): { id: string; timestamp: number } {
    count += 1;
    const now = context.clock.now();
    return { id: `${kind}/${now}/${count}`, timestamp: Math.floor(now / 1_000) };
  }

  async function readTyping({ attrs, content }: BinaryNode): Promise<NetworkEvent | undefined> {
    const [state] = Array.isArray(content) ? content : [];
    const from = accountOf(attrs.from);
    if (!state || !from || isMe(attrs.participant ?? from, context.me())) return undefined;
    const inGroup = isGroup(from);
    return {
      kind: 'typing',
      ...happening('typing'),
      chat: inGroup ? from : await personAt(context.vault(), from),
      sender: inGroup ? accountOf(attrs.participant) : await personAt(context.vault(), from),
      isGroup: inGroup,
      typing: state.tag === 'composing',
      media: state.attrs.media === 'audio' ? 'audio' : 'text',
    };
  }

  async function readPresence({ attrs }: BinaryNode): Promise<NetworkEvent | undefined> {
    const from = accountOf(attrs.from);
    if (!from || isGroup(from) || isMe(from, context.me())) return undefined;
    const online = attrs.type !== 'unavailable';
    const lastSeen = boundedSeconds(attrs.last);
    return {
      kind: 'presence',
      ...happening('presence'),
      contact: await personAt(context.vault(), from),
      online,
      ...(!online && lastSeen > 0 ? { lastSeen } : {}),
    };
  }

  return {
    attach(sock) {
      const tell = (read: Promise<NetworkEvent | undefined>): void => {
        read.then((event) => event && context.emit(event)).catch(() => {});
      };
      sock.ws.on('CB:chatstate', (node: BinaryNode) => tell(readTyping(node)));
      sock.ws.on('CB:presence', (node: BinaryNode) => tell(readPresence(node)));
    },
    renew(sock) {
      if (subscribed.size > 0) subscribe(sock, subscribed).catch(() => {});
    },
    setTyping: (chat, typing) =>
      ask(context, async (sock) =>
        sock.sendPresenceUpdate(typing ? 'composing' : 'paused', await addressing.of(sock, chat)),
      ),
    subscribe: (contact) =>
      ask(context, async (sock) => {
        await subscribe(sock, [contact]);
        remember(contact);
      }),
  };
}
