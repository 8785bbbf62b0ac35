import type { PresencePolicy } from '@parley/contract';
import { type LinkedDevice, type MailboxItem, type World, WorldError } from '@parley/sandbox/world';
import type { Clock, Random } from '#kernel';
import { NetworkError } from '../../errors.ts';
import type { NetworkSession, OpenRequest } from '../../port.ts';
import { createChannelOperations } from './channels.ts';
import { createChatOperations } from './chats.ts';
import { createConnectionLifecycle } from './connection-lifecycle.ts';
import { createContactOperations } from './contacts.ts';
import { createGroupOperations } from './groups.ts';
import { nameOf, toNetworkEvent } from './inbound.ts';
import { createInbox } from './inbox.ts';
import { ask, type Connection, type Link, type Links, phoneAt, requireConnection } from './link.ts';
import { download, stream } from './media.ts';
import { createFakeNumberHealth } from './number-health.ts';
import type { Ceremony } from './passkey.ts';
import { send } from './send.ts';
import { createTerminalStates } from './terminal-state.ts';

export interface SessionOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly links: Links;
  readonly ceremonies: Map<string, Ceremony>;
  readonly request: OpenRequest;
  readonly onClosed: () => void;
}

export interface FakeSession extends NetworkSession {
  /** Stops as in a crash. */
  abandon(): void;
}

const PROBE_PATIENCE_MS = 10_000;

export function createFakeSession(options: SessionOptions): FakeSession {
  const { world, clock, random, links, request, onClosed } = options;
  const subscriptions = new Set<string>();
  let autoReject = false;
  let isOver = false;
  let presence: { policy: PresencePolicy; isWanted: boolean } = { policy: 'auto', isWanted: false };

  const findDevice = (): LinkedDevice | undefined => {
    const sessionId = links.find(request.linkId);
    return sessionId === undefined ? undefined : world.devices.get(sessionId);
  };

  const inbox = createInbox({
    clock,
    random,
    deliver: request.onEvents,
    acknowledge(itemIds) {
      const sessionId = links.find(request.linkId);
      if (sessionId !== undefined) world.mailboxes.acknowledge(sessionId, ...itemIds);
    },
  });

  const knows = {
    person: (phone: string) => world.phones.find(phone),
    pollOptions(messageId: string) {
      const device = findDevice();
      const content = device && world.messages.find(device.phone, messageId)?.content;
      return content?.type === 'poll' ? content.options : undefined;
    },
  };
  const standing = createFakeNumberHealth(world, clock, (news) => {
    if (!isOver) request.onStanding(news);
  });
  const dropsTraffic = ({ sessionId }: LinkedDevice): boolean => world.faults.dropsTraffic(sessionId);

  const receive = (item: MailboxItem, device: LinkedDevice): void => {
    // It waits for the next connection.
    if (dropsTraffic(device)) return;
    standing.handle(item.news);
    if (item.news.kind === 'message' && world.faults.takeForDelivery(device.sessionId)) {
      standing.report({ kind: 'undecryptable' });
    }
    const rejected = autoReject && rejectCall(world, device, item);
    const event = toNetworkEvent(item, { phone: device.phone, now: clock.now(), knows, rejected });
    inbox.receive({ itemId: item.id, event });
  };

  const lifecycle = createConnectionLifecycle({
    world,
    clock,
    random,
    findDevice,
    ceremonies: options.ceremonies,
    lastWords: createTerminalStates(world, request.linkId),
    onState(state) {
      // The items here are in the mailbox as well, and now belong to the process that took the link.
      if (state.kind === 'ended' && state.cause === 'replaced') void inbox.close();
      request.onState(state);
    },
    onItem: receive,
    onConnected(device) {
      for (const contact of subscriptions) world.presence.subscribe(device, contact);
      showPresence();
      if (!dropsTraffic(device)) standing.connected(device);
    },
  });

  function showPresence(): void {
    const { policy, isWanted } = presence;
    const online = policy === 'available' || (policy === 'auto' && (isWanted || subscriptions.size > 0));
    const device = lifecycle.connection()?.device;
    if (device) world.presence.set(device, { online });
  }

  const link: Link = { world, clock, random, standing, device: findDevice, connection: lifecycle.connection };

  async function probe({ device, lost }: Connection): Promise<void> {
    if (!dropsTraffic(device)) return;
    await clock.sleep(PROBE_PATIENCE_MS, lost);
    throw new NetworkError('transient', 'The network did not answer in time.', { unanswered: true });
  }

  const close = async (): Promise<void> => {
    isOver = true;
    lifecycle.close();
    await inbox.close();
    onClosed();
  };

  return {
    linkId: request.linkId,
    get state() {
      return lifecycle.state;
    },
    send: (message) => send(link, message),
    download: async (media, limits) => download(world, media, limits),
    stream: async (media, limits) => stream(world, media, limits),
    async chatOf(jid) {
      const person = jid.endsWith('@g.us') ? undefined : phoneAt(world, jid);
      return person ? nameOf(person) : jid;
    },
    probe: async () => probe(requireConnection(link)),
    login: lifecycle.answers,
    reconnect() {
      const device = lifecycle.connection()?.device;
      if (device && dropsTraffic(device)) standing.report({ kind: 'deaf' });
      lifecycle.reconnect();
    },
    chats: createChatOperations(link),
    groups: createGroupOperations(link),
    contacts: createContactOperations(link),
    channels: createChannelOperations(link),
    presence: {
      setPolicy(policy, isWanted) {
        presence = { policy, isWanted };
        showPresence();
      },
      setTyping: (chat, typing) =>
        ask(link, (device) => world.presence.typing(device, chat, { typing, media: 'text' })),
      subscribe: (contact) =>
        ask(link, (device) => {
          world.presence.subscribe(device, contact);
          subscriptions.add(contact);
          showPresence();
        }),
    },
    calls: {
      setAutoReject(enabled) {
        autoReject = enabled;
      },
    },
    async logOut() {
      const reached = lifecycle.connection() !== undefined;
      const { state } = lifecycle;
      const isOver = state.kind === 'ended' && state.cause !== 'replaced';
      await close();
      const device = findDevice();
      if (device && !reached && !isOver) return false;
      if (device && reached) world.devices.unlink(device.sessionId);
      links.forget(request.linkId);
      return true;
    },
    close,
    abandon() {
      isOver = true;
      inbox.abandon();
      lifecycle.close();
    },
  };
}

/** True when it was an offer and rejecting it ended the call; false when the call had ended already. */
function rejectCall(world: World, device: LinkedDevice, { news }: MailboxItem): boolean {
  if (news.kind !== 'call' || news.event !== 'offer') return false;
  try {
    world.calls.reject(device, news.callId);
    return true;
  } catch (error) {
    if (error instanceof WorldError) return false;
    throw error;
  }
}
