import type { WASocket } from 'baileys';
import { growingPause, sleepOrAbort, warnOf } from '#kernel';
import { NetworkError } from '../errors.ts';
import type { NetworkSession, OpenRequest } from '../port.ts';
import {
  digitsOf,
  type Me,
  type NameOf,
  readChannelMessages,
  readContactChanges,
  readGroupChanges,
  readHead,
  readHiddenMessage,
  readOwnReading,
  readReceipts,
} from './convert/index.ts';
import type { Dependencies } from './dependencies.ts';
import { offline, unlessCutOff } from './errors.ts';
import { createHistoryReader } from './history/reader.ts';
import {
  createJournal,
  createJournalDrain,
  type Journal,
  type JournalDrain,
  makeDurableRepository,
} from './journal/index.ts';
import { createConnectionLifecycle } from './link/connection-lifecycle.ts';
import { createLastWords } from './link/last-word.ts';
import { RECONNECT_PAUSE } from './link/pace.ts';
import { queryNetwork } from './link/queries.ts';
import { openSocket } from './link/socket.ts';
import { createMediaFetcher } from './media/download.ts';
import { createCalls } from './operations/calls.ts';
import { createChannelOperations } from './operations/channels.ts';
import { createChatOperations } from './operations/chats.ts';
import { createContactOperations } from './operations/contacts.ts';
import { createGroupCache, createGroupOperations } from './operations/groups.ts';
import { createPresence } from './operations/presence.ts';
import { createAppStateSync } from './receive/app-state-sync.ts';
import { createChatChanges } from './receive/chat-changes.ts';
import { createContactBook } from './receive/contact-book.ts';
import { createEventReader } from './receive/event-reader.ts';
import { LINKING_KINDS, linkedBy } from './receive/linking.ts';
import { createMappings } from './receive/mappings.ts';
import { personAt } from './receive/people.ts';
import { authorsOf, pollSecretOf } from './receive/polls.ts';
import { createAcks } from './send/acks.ts';
import { createFirstContact } from './send/first-contact.ts';
import { createRetryReceipts } from './send/retry-receipts.ts';
import { createSender } from './send/sender.ts';
import { ask, type SessionContext } from './session-context.ts';
import { createHearing } from './standing/hearing.ts';
import { createRateLimits } from './standing/rate-limits.ts';
import { createStandingWatch } from './standing/standing.ts';
import { LinkLost, openVault, type Vault } from './vault/index.ts';

const PROBE_PATIENCE_MS = 10_000;
const LOG_OUT_PATIENCE_MS = 5_000;

/** Puts a session together. It answers at once; first the vault and then the connection come up behind it. */
export function openSession(
  dependencies: Dependencies,
  request: OpenRequest,
  onClosed: () => void,
): NetworkSession {
  const { clock, random, log, numbers, versions, logins } = dependencies;
  const { linkId } = request;
  let vault: Vault | undefined;
  let drain: JournalDrain | undefined;
  let socket: (() => WASocket) | undefined;
  let closing: Promise<void> | undefined;
  const leaving = new AbortController();

  const context: SessionContext = {
    linkId,
    clock,
    random,
    log,
    vault() {
      if (!vault) throw offline();
      return vault;
    },
    me: () => meOf(context.vault()),
    connection: () => lifecycle.connection(),
    emit: (event) => drain?.pushEphemeral(event),
  };
  const acks = createAcks();
  const standing = createStandingWatch(context, request.onStanding);
  const limits = createRateLimits(context, standing.tell);
  const hearing = createHearing({
    context,
    onDeaf: () => standing.tell({ kind: 'deaf' }),
    reconnect: () => lifecycle.reconnect(),
  });
  const book = createContactBook(context.vault);
  const mappings = createMappings(context.vault);
  const groupCache = createGroupCache(linkId, dependencies.groups, limits);
  const calls = createCalls(context);
  const appStateSync = createAppStateSync(context);
  const { isRegistered } = numbers;
  const addressing = dependencies.createAddressing(context);
  const presence = createPresence(context, addressing);
  const firstContact = createFirstContact(context.vault);
  const history = createHistoryReader({
    context,
    transport: () => dependencies.mediaFor(phoneOf(context.vault())),
    folder: dependencies.folder,
    leaving: leaving.signal,
    learnContacts: book.learn,
    learnSalt: firstContact.learnSalt,
    learnPeople: async (people) => request.onKnownPeople?.(people),
    takerOf: (past) => request.onPast?.(past),
  });
  const sender = createSender({
    context,
    acks,
    addressing,
    standing,
    hearing,
    firstContact,
    isRegistered,
    audience: book.audience,
    groups: groupCache,
  });
  const attached = [
    limits,
    standing,
    hearing,
    acks,
    addressing,
    mappings,
    book,
    groupCache,
    presence,
    calls,
    appStateSync,
  ];
  const retryReceipts = createRetryReceipts(context, sender);
  const lastWords = createLastWords({
    vault: context.vault,
    version: () => versions.current().join('.'),
  });
  /** What the last connection appeared as. */
  let shownVersion = versions.current();

  const lifecycle = createConnectionLifecycle({
    clock,
    random,
    log,
    logins,
    linkId,
    onState(state) {
      // What was not taken yet lies in the journal for whoever took the link over.
      if (state.kind === 'ended' && state.cause === 'replaced')
        drain?.stop().catch(warnOf('the journal of a replaced link could not be left in order'));
      if (state.kind === 'refused' && state.reason === 'client_outdated')
        seekNewerClient().catch(warnOf('no newer client could be sought'));
      request.onState(state);
    },
    sessionId: () => context.me().id,
    openSocket() {
      if (!socket) throw offline();
      return socket();
    },
    onLastWord: lastWords.keep,
    onOpen(sock) {
      lastWords.forget();
      drain?.reread();
      retryReceipts.resume(sock);
      presence.renew(sock);
      appStateSync.resume(sock);
      standing.resume();
      hearing.resume();
    },
  });

  async function seekNewerClient(): Promise<void> {
    if (await versions.refused(shownVersion)) lifecycle.clientChanged();
  }

  /** From the journal up: what the connection needs before its first byte. */
  async function open(): Promise<void> {
    await versions.ready;
    const mine = await openVault(dependencies.vaults, {
      linkId,
      fence: request.fence,
      onArrivals: (arrivals) => drain?.push(arrivals),
      onCopies: () => drain?.reread(),
      onBroken: lifecycle.broken,
      consequences: {
        kinds: LINKING_KINDS,
        arrivalsOf: async (change, read) =>
          (await linkedBy(change, read, clock)).map((event) => journal.draftOf(event)),
      },
    });
    const lastWord = await lastWords.recall(mine);
    if (closing) return;
    vault = mine;
    const nameOf: NameOf = (address, other) => personAt(mine, address, other);
    const journal: Journal = createJournal({
      vault: mine,
      clock,
      me: context.me,
      readReceipt: async (node) => [
        ...(await readReceipts(node, context.me(), nameOf)),
        ...(await readOwnReading(node, context.me(), nameOf)),
      ],
      readChannelMessage: readChannelMessages,
      readNotification: async (node) => [
        ...readChannelMessages(node),
        ...readGroupChanges(node, context.me()),
        ...(await readContactChanges(node, context.me(), nameOf)),
      ],
      readHiddenMessage: (node) => readHiddenMessage(node, context.me()),
      onUnreadable: standing.unreadable,
      alsoKeep(message, attrs) {
        const head = readHead(attrs, context.me());
        return head ? pollSecretOf(message, head.messageId, authorsOf(head, attrs, context.me())) : {};
      },
    });
    drain = createJournalDrain({
      vault: mine,
      clock,
      random,
      log,
      toEvents: createEventReader({ vault: mine, me: context.me, onSender: book.noteName }),
      onEvents: request.onEvents,
      onUnprocessed: appStateSync.resumeLater,
      workFor: dependencies.settings.history === 'none' ? () => undefined : history.take,
    });
    const phone = phoneOf(mine);
    const chatChanges = createChatChanges({
      context,
      options: () => {
        const { dispatcher } = dependencies.mediaFor(phone);
        return dispatcher ? { dispatcher } : {};
      },
      entriesFor: journal.entriesFor,
    });
    const auth = { creds: mine.creds, keys: chatChanges.journalled(mine.keys) };
    const makeSignalRepository = makeDurableRepository(journal);
    socket = () => {
      const connection = dependencies.connectionSettingsFor(phone);
      shownVersion = connection.version;
      const sock: WASocket = openSocket({
        linkId,
        auth,
        connection,
        caches: dependencies.caches,
        log: dependencies.log,
        logger: firstContact.readSalt(book.readFirstNames(dependencies.libraryLog)),
        media: dependencies.mediaFor(phone),
        makeSignalRepository,
        getMessage: async (key) => (await sender.sent(key))?.message,
        cachedGroupMetadata: (group) => groupCache.get(sock, group),
      });
      sock.ev.on('creds.update', mine.credsChanged);
      retryReceipts.attach(sock);
      journal.attach(sock);
      chatChanges.attach(sock);
      for (const part of attached) part.attach(sock);
      return sock;
    };
    drain.start();
    lifecycle.start(lastWord);
  }

  /** The database may be out of reach for a while. */
  async function openPatiently(): Promise<void> {
    for (let failures = 1; !leaving.signal.aborted; failures++) {
      try {
        return await open();
      } catch (error) {
        if (error instanceof LinkLost) return lifecycle.broken(error);
        log.warn({ linkId, failures }, 'the keys of a link could not be read; trying again');
        await sleepOrAbort(clock, growingPause(RECONNECT_PAUSE, failures, random), leaving.signal);
      }
    }
  }

  /** True when the network knows: it has answered, or hung up on a device that is none. */
  async function unlink(): Promise<boolean> {
    const answered = await ask(
      context,
      (sock) => removeDevice(sock, context.me().id),
      LOG_OUT_PATIENCE_MS,
    ).then(
      () => true,
      (error: unknown) => {
        unlessCutOff('the network could not be told of the end of a link')(error);
        return false;
      },
    );
    const { state } = lifecycle;
    return answered || (state.kind === 'ended' && state.cause !== 'replaced');
  }

  async function close(): Promise<void> {
    leaving.abort();
    stopFollowing();
    standing.stop();
    hearing.stop();
    await lifecycle.close();
    await opening;
    await drain?.stop();
    await history.settled();
    await book.settled();
    await lastWords.settled();
    await vault?.settled();
    onClosed();
  }

  const stopFollowing = versions.onChange(lifecycle.clientChanged);
  const opening = openPatiently();

  return {
    linkId,
    get state() {
      return lifecycle.state;
    },
    send: sender.send,
    ...createMediaFetcher(context, () => dependencies.mediaFor(phoneOf(context.vault()))),
    chatOf: async (jid) => personAt(context.vault(), jid),
    probe: () =>
      ask(context, ping, PROBE_PATIENCE_MS).catch((error: unknown) => {
        if (error instanceof NetworkError && error.unanswered) hearing.silent();
        throw error;
      }),
    reconnect() {
      hearing.reconnecting();
      lifecycle.reconnect();
    },
    groups: createGroupOperations(context, groupCache, limits),
    contacts: createContactOperations(context, book, numbers, addressing),
    channels: createChannelOperations(context, acks),
    presence,
    calls,
    chats: createChatOperations(context, addressing),
    async logOut() {
      const isUnlinked = await unlink();
      closing ??= close();
      await closing;
      if (isUnlinked) await dependencies.vaults.links.forget(linkId);
      return isUnlinked;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The library's own connection out hangs up without waiting for the answer, and would call lost what never left. */
async function removeDevice(sock: WASocket, jid: string): Promise<void> {
  await queryNetwork(sock, { type: 'set', xmlns: 'md' }, [
    { tag: 'remove-companion-device', attrs: { jid, reason: 'user_initiated' } },
  ]);
}

async function ping(sock: WASocket): Promise<void> {
  await queryNetwork(sock, { type: 'get', xmlns: 'w:p' }, [{ tag: 'ping', attrs: {} }]);
}

function phoneOf({ creds }: Vault): string {
  return digitsOf(creds.me?.id ?? '');
}

function meOf({ creds }: Vault): Me {
  return { id: creds.me?.id ?? '', lid: creds.me?.lid };
}
