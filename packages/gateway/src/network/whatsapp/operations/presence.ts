import type { PresencePolicy } from '@parley/contract';
import type { BinaryNode, WASocket } from 'baileys';
import { atEndOfTurn, HOUR_MS } from '#kernel';
import type { Jid } from '../../content.ts';
import type { NetworkEvent } from '../../events.ts';
import type { PresenceOperations } from '../../operations.ts';
import { accountOf, boundedSeconds, isGroup, isOwnJid } from '../convert/index.ts';
import type { WhatsAppSettings } from '../dependencies.ts';
import { unlessCutOff } from '../errors.ts';
import { personAt } from '../receive/people.ts';
import type { Addressing } from '../send/addressing.ts';
import { ask, type SessionContext } from '../session-context.ts';

/** More contacts than an account watches; the oldest subscriptions are not renewed then. */
const MOST_SUBSCRIPTIONS = 2_000;
/**
 * The network accepts subscriptions only from clients that are online; one that is offline goes online for this
 * time.
 */
const ONLINE_MS = 5_000;
/**
 * The network warns a linked device that is never available, and drops it after about two weeks. Such a number is available for a
 * moment once a day, while its owner uses the phone.
 */
const PULSE_EVERY_MS = 20 * HOUR_MS;
const notShown = unlessCutOff('the presence of a number could not be set');

interface Presence extends PresenceOperations {
  /** Renews subscriptions, which the network drops with the connection. */
  attach(sock: WASocket): void;
  renew(sock: WASocket): void;
}

/** Typing and presence, read from the socket: the library merges “stopped typing” and “came online”. */
export function createPresence(
  context: SessionContext,
  addressing: Pick<Addressing, 'of'>,
  { pulse = true }: Pick<WhatsAppSettings, 'pulse'> = {},
): Presence {
  const subscribed = new Set<Jid>();
  let policy: PresencePolicy = 'auto';
  let isWanted = false;
  let isDue = false;
  let count = 0;
  /** Spread over a day, so that the numbers of a process that starts anew do not appear together. */
  let availableAt = context.clock.now() - context.random.fraction() * PULSE_EVERY_MS;
  /**
   * The person is looked up at once, and the event is emitted after all earlier ones, because only the last
   * state counts.
   */
  let lastEmitted: Promise<unknown> = Promise.resolve();

  /** `auto`: while a webhook wants presence, or a contact is subscribed. */
  function isAvailable(): boolean {
    return policy === 'available' || (policy === 'auto' && (isWanted || subscribed.size > 0));
  }

  function show(sock: WASocket): Promise<void> {
    return isAvailable() ? goOnline(sock) : sock.sendPresenceUpdate('unavailable');
  }

  function goOnline(sock: WASocket): Promise<void> {
    availableAt = context.clock.now();
    return sock.sendPresenceUpdate('available');
  }

  function goOfflineSoon(sock: WASocket): void {
    if (isAvailable()) return;
    context.clock.after(ONLINE_MS, () => {
      show(sock).catch(notShown);
    });
  }

  async function subscribe(sock: WASocket, contacts: Iterable<Jid>): Promise<void> {
    await goOnline(sock);
    for (const contact of contacts) await sock.presenceSubscribe(contact);
    goOfflineSoon(sock);
  }

  /** The owner has written or read on the phone. */
  async function onOwnerActive(sock: WASocket): Promise<void> {
    const now = context.clock.now();
    if (isAvailable()) availableAt = now;
    // The library drops a presence before it knows the name of the number.
    if (now - availableAt < PULSE_EVERY_MS || !context.vault().creds.me?.name) return;
    await goOnline(sock);
    goOfflineSoon(sock);
  }

  /** Once for all changes in this tick. */
  function showSoon(): void {
    if (isDue) return;
    isDue = true;
    atEndOfTurn(() => {
      isDue = false;
      showNow();
    });
  }

  /** Uses the current connection, if there is one. */
  function showNow(): void {
    try {
      show(context.connection().sock).catch(notShown);
    } catch (error) {
      // The next connection sets it.
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
    if (!state || !from || isOwnJid(attrs.participant ?? from, context.me())) return undefined;
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
    if (!from || isGroup(from) || isOwnJid(from, context.me())) return undefined;
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
      const emitInOrder = (read: Promise<NetworkEvent | undefined>): void => {
        lastEmitted = Promise.all([read, lastEmitted])
          .then(([event]) => event && context.emit(event))
          .catch(unlessCutOff('the presence of a contact could not be emitted'));
      };
      sock.ws.on('CB:chatstate', (node: BinaryNode) => emitInOrder(readTyping(node)));
      sock.ws.on('CB:presence', (node: BinaryNode) => emitInOrder(readPresence(node)));
      if (pulse)
        for (const stanza of ['CB:message', 'CB:receipt'])
          sock.ws.on(stanza, ({ attrs }: BinaryNode) => {
            if (isOwnJid(attrs.participant ?? attrs.from, context.me())) onOwnerActive(sock).catch(notShown);
          });
      // On each change of the credentials other than of the name the library sends an empty presence, which may
      // count as online.
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
