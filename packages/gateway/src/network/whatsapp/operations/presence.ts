import type { PresencePolicy } from '@parley/contract';
import type { BinaryNode, WASocket } from 'baileys';
import { atEndOfTurn } from '#kernel';
import type { Jid } from '../../content.ts';
import type { NetworkEvent } from '../../events.ts';
import type { PresenceOperations } from '../../operations.ts';
import { accountOf, boundedSeconds, isGroup, isMe } from '../convert/index.ts';
import { unlessCutOff } from '../errors.ts';
import { personAt } from '../receive/people.ts';
import type { Addressing } from '../send/addressing.ts';
import { ask, type SessionContext } from '../session-context.ts';

/** More contacts than anybody watches; the oldest subscriptions are not renewed then. */
const MOST_SUBSCRIPTIONS = 2_000;
/** The network answers subscriptions only to those who are online themselves: so long is one who does not want to be. */
const ONLINE_MS = 5_000;
const notShown = unlessCutOff('whether a number is online could not be shown');

interface Presence extends PresenceOperations {
  /** Subscribes again; the network forgets subscriptions with the connection. */
  attach(sock: WASocket): void;
  renew(sock: WASocket): void;
}

/** Typing and presence, heard on the socket: the library makes one of “stopped typing” and “came online”. */
export function createPresence(context: SessionContext, addressing: Pick<Addressing, 'of'>): Presence {
  const subscribed = new Set<Jid>();
  let policy: PresencePolicy = 'auto';
  let isWanted = false;
  let isDue = false;
  let count = 0;
  /** Who it is about is looked up at once; it is told when all that came before is told, for the last word is what counts. */
  let told: Promise<unknown> = Promise.resolve();

  function isAvailable(): boolean {
    return policy === 'available' || (policy === 'auto' && (isWanted || subscribed.size > 0));
  }

  function show(sock: WASocket): Promise<void> {
    return sock.sendPresenceUpdate(isAvailable() ? 'available' : 'unavailable');
  }

  async function subscribe(sock: WASocket, contacts: Iterable<Jid>): Promise<void> {
    await sock.sendPresenceUpdate('available');
    for (const contact of contacts) await sock.presenceSubscribe(contact);
    if (isAvailable()) return;
    context.clock.after(ONLINE_MS, () => {
      show(sock).catch(notShown);
    });
  }

  /** Once for all that happens in this turn. */
  function showSoon(): void {
    if (isDue) return;
    isDue = true;
    atEndOfTurn(() => {
      isDue = false;
      showNow();
    });
  }

  /** The connection of this moment, if there is one. */
  function showNow(): void {
    try {
      show(context.connection().sock).catch(notShown);
    } catch (error) {
      // The next connection shows it by itself.
      notShown(error);
    }
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
    const happened = happening('typing');
    const from = accountOf(attrs.from);
    if (!state || !from || isMe(attrs.participant ?? from, context.me())) return undefined;
    const inGroup = isGroup(from);
    const chat = inGroup ? from : await personAt(context.vault(), from);
    return {
      kind: 'typing',
      ...happened,
      chat,
      sender: inGroup ? accountOf(attrs.participant) : chat,
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
        told = Promise.all([read, told])
          .then(([event]) => event && context.emit(event))
          .catch(unlessCutOff('what somebody else does could not be told'));
      };
      sock.ws.on('CB:chatstate', (node: BinaryNode) => tell(readTyping(node)));
      sock.ws.on('CB:presence', (node: BinaryNode) => tell(readPresence(node)));
      // With each change of the credentials that is not about the name, the library sends a presence that says nothing, which may count as being there.
      sock.ev.on('creds.update', () => showSoon());
    },
    renew(sock) {
      const renewed = subscribed.size > 0 ? subscribe(sock, subscribed) : isAvailable() && show(sock);
      if (renewed) renewed.catch(notShown);
    },
    setPolicy(next, wanted) {
      const before = isAvailable();
      policy = next;
      isWanted = wanted;
      if (isAvailable() !== before) showNow();
    },
    setTyping: (chat, typing) =>
      ask(context, async (sock) =>
        sock.sendPresenceUpdate(typing ? 'composing' : 'paused', await addressing.of(sock, chat)),
      ),
    subscribe: (contact) =>
      ask(context, async (sock) => {
        remember(contact);
        await subscribe(sock, [contact]).catch((error: unknown) => {
          subscribed.delete(contact);
          throw error;
        });
      }),
  };
}
