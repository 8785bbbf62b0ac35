import { S_WHATSAPP_NET, type WASocket } from 'baileys';
import { growingPause } from '#kernel';
import type { NetworkSession, OpenRequest } from '../port.ts';
import { digitsOf, type Me, readChannelMessages, readHead, readReceipts } from './convert/index.ts';
import type { Surroundings } from './dependencies.ts';
import { offline } from './errors.ts';
import { createHandover, createJournal, type Handover, makeDurableRepository } from './journal/index.ts';
import { createLife } from './link/connection-lifecycle.ts';
import { RECONNECT_PAUSE } from './link/disconnect.ts';
import { queryNetwork } from './link/query.ts';
import { openSocket } from './link/socket.ts';
import { createMediaFetcher } from './media/fetch-media.ts';
import { createCalls } from './operations/calls.ts';
import { createChannelOperations } from './operations/channels.ts';
import { createContactOperations } from './operations/contacts.ts';
import { createGroupCache } from './operations/group-cache.ts';
import { createGroupOperations } from './operations/groups.ts';
import { createPresence } from './operations/presence.ts';
import { createSynchronisation } from './receive/app-state-sync.ts';
import { createContactBook, phoneBehind } from './receive/contact-book.ts';
import { createArrivalReader } from './receive/event-reader.ts';
import { createFirstNames } from './receive/first-names.ts';
import { authorsOf, pollSecretOf } from './receive/polls.ts';
import { createAcks } from './send/acks.ts';
import { createRetries } from './send/retry-receipts.ts';
import { createSender } from './send/sender.ts';
import { ask, type Line } from './session-context.ts';
import { LinkLost, openVault, type Vault } from './vault/index.ts';

const PROBE_PATIENCE_MS = 10_000;
const LOG_OUT_PATIENCE_MS = 5_000;

/** Puts a session together. It answers at once; first the vault and then the connection come up behind it. */
export function openSession(
  surroundings: Surroundings,
  request: OpenRequest,
  onClosed: () => void,
): NetworkSession {
  const { clock, random, log, numbers } = surroundings;
  const { linkId } = request;
  let vault: Vault | undefined;
  let handover: Handover | undefined;
  let socket: (() => WASocket) | undefined;
  let closing: Promise<void> | undefined;
  const leaving = new AbortController();

  const line: Line = {
    linkId,
    clock,
    random,
    log,
    vault() {
      if (!vault) throw offline();
      return vault;
    },
    me: () => meOf(line.vault()),
    connection: () => life.connection(),
    tell: (event) => handover?.passing(event),
  };
  const acks = createAcks();
  const firstNames = createFirstNames();
  const book = createContactBook(line.vault, firstNames);
  const groupCache = createGroupCache(linkId, surroundings.groups);
  const presence = createPresence(line);
  const calls = createCalls(line);
  const synchronisation = createSynchronisation(line);
  const { isRegistered } = numbers;
  const sender = createSender({ line, acks, isRegistered, audience: book.audience });
  const retries = createRetries({ line, sender });

  const life = createLife({
    clock,
    random,
    log,
    linkId,
    onState(state) {
      // What was not taken yet lies in the journal for whoever took the link over.
      if (state.kind === 'ended' && state.cause === 'replaced') void handover?.stop();
      request.onState(state);
    },
    sessionId: () => line.me().id,
    openSocket() {
      if (!socket) throw offline();
      return socket();
    },
    onOpen(sock) {
      handover?.lookAgain();
      retries.resume(sock);
      presence.renew(sock);
      synchronisation.resume(sock);
    },
  });

  /** From the journal up: what the connection needs before its first byte. */
  async function open(): Promise<void> {
    const mine = await openVault(surroundings.vaults, {
      linkId,
      fence: request.fence,
      onArrivals: (arrivals) => handover?.arrived(arrivals),
      onCopies: () => handover?.lookAgain(),
      onBroken: life.broken,
    });
    if (closing) return;
    vault = mine;
    const journal = createJournal({
      vault: mine,
      clock,
      me: line.me,
      readReceipt: (node) => readReceipts(node, line.me(), (lid) => phoneBehind(mine, lid)),
      readChannelMessage: readChannelMessages,
      alsoKeep(message, attrs) {
        const head = readHead(attrs, line.me());
        return head ? pollSecretOf(message, head.messageId, authorsOf(head, attrs, line.me())) : {};
      },
    });
    handover = createHandover({
      vault: mine,
      clock,
      random,
      log,
      toEvents: createArrivalReader({ vault: mine, me: line.me, onSender: book.noteName }),
      onEvents: request.onEvents,
      onUndigested: synchronisation.undigested,
    });
    const phone = phoneOf(mine);
    const way = surroundings.wayFor(phone);
    const makeSignalRepository = makeDurableRepository(journal);
    socket = () => {
      const sock: WASocket = openSocket({
        linkId,
        auth: mine,
        way,
        caches: surroundings.caches,
        logger: firstNames.listenAt(surroundings.libraryLog),
        media: surroundings.mediaFor(phone),
        history: surroundings.settings.history,
        makeSignalRepository,
        getMessage: async (key) => (await sender.sent(key))?.message,
        cachedGroupMetadata: (group) => groupCache.get(sock, group),
      });
      sock.ev.on('creds.update', mine.credsChanged);
      retries.attach(sock);
      journal.attach(sock);
      for (const part of [acks, book, groupCache, presence, calls, synchronisation]) part.attach(sock);
      return sock;
    };
    handover.start();
    life.start();
  }

  /** The database may be out of reach for a while. */
  async function openPatiently(): Promise<void> {
    for (let failures = 1; !leaving.signal.aborted; failures++) {
      try {
        return await open();
      } catch (error) {
        if (error instanceof LinkLost) return life.broken(error);
        log.warn({ linkId, failures }, 'the keys of a link could not be read; trying again');
        await clock.sleep(growingPause(RECONNECT_PAUSE, failures, random), leaving.signal).catch(() => {});
      }
    }
  }

  /** True when the network knows: it has answered, or hung up on a device that is none. */
  async function unlink(): Promise<boolean> {
    const answered = await ask(line, (sock) => removeDevice(sock, line.me().id), LOG_OUT_PATIENCE_MS).then(
      () => true,
      () => false,
    );
    const { state } = life;
    return answered || (state.kind === 'ended' && state.cause !== 'replaced');
  }

  async function close(): Promise<void> {
    leaving.abort();
    await life.close();
    await opening;
    await handover?.stop();
    await book.settled();
    await vault?.settled();
    onClosed();
  }

  const opening = openPatiently();

  return {
    linkId,
    get state() {
      return life.state;
    },
    send: sender.send,
    download: createMediaFetcher(line, () => surroundings.mediaFor(phoneOf(line.vault()))),
    probe: () => ask(line, ping, PROBE_PATIENCE_MS),
    reconnect: life.reconnect,
    groups: createGroupOperations({ line, cache: groupCache }),
    contacts: createContactOperations({ line, book, numbers }),
    channels: createChannelOperations({ line, acks }),
    presence,
    calls,
    async logOut() {
      const isUnlinked = await unlink();
      closing ??= close();
      await closing;
      if (isUnlinked) await surroundings.vaults.links.forget(linkId);
      return isUnlinked;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The library's own way out hangs up without waiting for the answer, and would call lost what never left. */
async function removeDevice(sock: WASocket, jid: string): Promise<void> {
  await queryNetwork(sock, {
    tag: 'iq',
    attrs: { to: S_WHATSAPP_NET, type: 'set', xmlns: 'md' },
    content: [{ tag: 'remove-companion-device', attrs: { jid, reason: 'user_initiated' } }],
  });
}

async function ping(sock: WASocket): Promise<void> {
  await queryNetwork(sock, {
    tag: 'iq',
    attrs: { to: S_WHATSAPP_NET, type: 'get', xmlns: 'w:p' },
    content: [{ tag: 'ping', attrs: {} }],
  });
}

function phoneOf({ creds }: Vault): string {
  return digitsOf(creds.me?.id ?? '');
}

function meOf({ creds }: Vault): Me {
  return { id: creds.me?.id ?? '', lid: creds.me?.lid };
}
