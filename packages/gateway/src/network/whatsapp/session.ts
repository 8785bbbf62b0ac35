import type { WASocket } from 'baileys';
import { growingPause, sleepOrAbort, warnOf } from '#kernel';
import { NetworkError } from '../errors.ts';
import type { NetworkSession, OpenRequest } from '../port.ts';
import {
  digitsOf,
  type Me,
  type NameOf,
  placeholderIn,
  readChannelMessages,
  readHead,
  readNotification,
  readOwnReading,
  readReceipts,
  unavailableMessage,
} from './convert/index.ts';
import type { Dependencies } from './dependencies.ts';
import { offline, unlessCutOff } from './errors.ts';
import { createNumberHealthWatch } from './health/health-watch.ts';
import { createLivenessMonitor } from './health/liveness-monitor.ts';
import { createOwnDevices } from './health/own-devices.ts';
import { createRateLimits } from './health/rate-limits.ts';
import { createHistoryReader } from './history/reader.ts';
import { createJournalDrain, type JournalDrain } from './journal/drain.ts';
import { makeDurableRepository } from './journal/durable-repository.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { createLoginCount } from './link/client-payload.ts';
import { createClientRenewal } from './link/client-renewal.ts';
import { createConnectionLifecycle } from './link/connection-lifecycle.ts';
import { RECONNECT_PAUSE } from './link/pace.ts';
import { handlePasskeyCeremony } from './link/passkey/ceremony.ts';
import { ping, removeDevice } from './link/queries.ts';
import { deviceTypeOf, openSocket } from './link/socket.ts';
import { createTerminalStates } from './link/terminal-state.ts';
import { createMediaFetcher } from './media/download.ts';
import { createAccounts } from './operations/accounts.ts';
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
import { createMappings } from './receive/mappings.ts';
import { LINKING_KINDS, linkedBy, personAt } from './receive/people.ts';
import { createPlaceholders } from './receive/placeholders.ts';
import { authorsOf, secretOf } from './receive/sealed-updates.ts';
import { createAcks } from './send/acks.ts';
import { createFirstContact } from './send/first-contact.ts';
import { createRetryReceipts } from './send/retry-receipts.ts';
import { createSender } from './send/sender.ts';
import { ask, type SessionContext } from './session-context.ts';
import { LinkLost, openVault, type Vault } from './vault/index.ts';

const PROBE_PATIENCE_MS = 10_000;
const LOG_OUT_PATIENCE_MS = 5_000;

/** Assembles a session. Returns at once; the vault opens in the background, then the connection. */
export function openSession(
  dependencies: Dependencies,
  request: OpenRequest,
  onClosed: () => void,
): NetworkSession {
  const { clock, random, log, versions, logins, codecs } = dependencies;
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
    codecs,
    folder: dependencies.folder,
    mediaTransport: () => dependencies.mediaFor(phoneOf(context.vault())),
    vault() {
      if (!vault) throw offline();
      return vault;
    },
    me: () => meOf(context.vault()),
    connection: () => lifecycle.connection(),
    emit: (event) => drain?.pushEphemeral(event),
  };
  const acks = createAcks();
  const standing = createNumberHealthWatch(context, request.onStanding);
  const limits = createRateLimits(context, standing.report);
  const livenessMonitor = createLivenessMonitor({
    context,
    onUnresponsive: () => standing.report({ kind: 'deaf' }),
    reconnect: () => lifecycle.reconnect(),
  });
  const book = createContactBook(context.vault);
  const mappings = createMappings(context.vault);
  const groupCache = createGroupCache(linkId, dependencies.groups, limits);
  const calls = createCalls(context);
  const appStateSync = createAppStateSync(context);
  const accounts = createAccounts(context);
  const addressing = dependencies.createAddressing(context);
  const presence = createPresence(context, addressing, dependencies.settings);
  const firstContact = createFirstContact(context.vault);
  const history = createHistoryReader({
    context,
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
    livenessMonitor,
    firstContact,
    accounts,
    audience: book.audience,
    groups: groupCache,
  });
  const attached = [
    limits,
    standing,
    livenessMonitor,
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
  const lastWords = createTerminalStates({
    vault: context.vault,
    version: () => versions.current().join('.'),
  });
  const loginCount = createLoginCount(context.vault);
  const renewal = createClientRenewal({
    clock,
    random,
    versions,
    onChanged: () => lifecycle.clientChanged(),
    reconnect: () => lifecycle.reconnect(),
  });

  const lifecycle = createConnectionLifecycle({
    clock,
    random,
    log,
    logins,
    linkId,
    onState(state) {
      // The journal keeps arrivals that were not processed yet for the new host.
      if (state.kind === 'ended' && state.cause === 'replaced')
        drain?.stop().catch(warnOf('the journal of a replaced link could not be stopped'));
      if (state.kind === 'refused' && state.reason === 'client_outdated')
        renewal.refused().catch(warnOf('the search for a newer client version failed'));
      request.onState(state);
    },
    sessionId: () => context.me().id,
    handlePasskey: (sock, watch) => {
      const { creds } = context.vault();
      return handlePasskeyCeremony({
        sock,
        // A copy: the secret of the link stays as it is.
        creds: { ...creds },
        deviceType: deviceTypeOf(dependencies.connectionSettingsFor(phoneOf(context.vault())).browser),
        clock,
        random,
        isSecretShared: () => false,
        onAsked: () => {},
        ...watch,
      });
    },
    openSocket() {
      if (!socket) throw offline();
      return socket();
    },
    onLastWord: lastWords.keep,
    onOpen(sock) {
      lastWords.forget();
      loginCount.accepted();
      drain?.reread();
      retryReceipts.resume(sock);
      presence.renew(sock);
      appStateSync.resume(sock);
      standing.resume();
      livenessMonitor.resume();
    },
  });

  /** Opens the vault and the journal, which the connection needs before its first byte. */
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
    await loginCount.recall(mine);
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
      readNotification: (node) => readNotification(node, context.me(), nameOf),
      readPlaceholder(node) {
        const reason = placeholderIn(node);
        if (reason === undefined || reason === 'requested') return reason;
        return unavailableMessage(node.attrs, context.me(), reason);
      },
      resentIn: (message, attrs) => placeholders.resentIn(message, attrs),
      onUnreadable: standing.unreadable,
      onDecrypted: dependencies.drift.inspectMessage,
      alsoKeep(message, attrs) {
        const head = readHead(attrs, context.me());
        return head ? secretOf(message, head.messageId, authorsOf(head, attrs, context.me())) : {};
      },
    });
    const placeholders = createPlaceholders({
      context,
      leaving: leaving.signal,
      record: (event) => mine.commit({ arrivals: [journal.draftOf(event)] }),
    });
    const takeHistory = dependencies.settings.history === 'none' ? () => undefined : history.take;
    drain = createJournalDrain({
      vault: mine,
      clock,
      random,
      log,
      toEvents: createEventReader({
        ...{ vault: mine, me: context.me, log },
        onSender: book.noteName,
        onAnswer: placeholders.answered,
        onUnreadUpdate: dependencies.onUnreadUpdate,
      }),
      onEvents: request.onEvents,
      onUnprocessed: appStateSync.resumeLater,
      workFor: (entry) => placeholders.take(entry) ?? takeHistory(entry),
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
    const ownDevices = createOwnDevices({ context, vault: mine, draftOf: journal.draftOf });
    const auth = { creds: mine.creds, keys: chatChanges.journalled(mine.keys) };
    const makeSignalRepository = makeDurableRepository(journal);
    socket = () => {
      const connection = dependencies.connectionSettingsFor(phone);
      const sock: WASocket = openSocket({
        linkId,
        auth,
        connection,
        logins: loginCount.current,
        caches: dependencies.caches,
        log: dependencies.log,
        drift: dependencies.drift,
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
      ownDevices.attach(sock);
      renewal.attach(sock, connection.version);
      for (const part of attached) part.attach(sock);
      return sock;
    };
    drain.start();
    lifecycle.start(lastWord);
  }

  /** Retries while the database is out of reach. */
  async function openPatiently(): Promise<void> {
    for (let failures = 1; !leaving.signal.aborted; failures++) {
      try {
        return await open();
      } catch (error) {
        if (error instanceof LinkLost) return lifecycle.broken(error);
        log.warn({ linkId, failures }, 'the keys of a link could not be read; retrying');
        await sleepOrAbort(clock, growingPause(RECONNECT_PAUSE, failures, random), leaving.signal);
      }
    }
  }

  /** True when the network has removed the device: it answered, or closed the connection because the device is gone. */
  async function unlink(): Promise<boolean> {
    const answered = await ask(
      context,
      (sock) => removeDevice(sock, context.me().id),
      LOG_OUT_PATIENCE_MS,
    ).then(
      () => true,
      (error: unknown) => {
        unlessCutOff('the network could not be asked to unlink a device')(error);
        return false;
      },
    );
    const { state } = lifecycle;
    return answered || (state.kind === 'ended' && state.cause !== 'replaced');
  }

  async function close(): Promise<void> {
    leaving.abort();
    renewal.stop();
    standing.stop();
    livenessMonitor.stop();
    await lifecycle.close();
    await opening;
    await drain?.stop();
    await history.settled();
    await book.settled();
    await lastWords.settled();
    await vault?.settled();
    onClosed();
  }

  const opening = openPatiently();

  return {
    linkId,
    get state() {
      return lifecycle.state;
    },
    send: sender.send,
    ...createMediaFetcher(context),
    chatOf: accounts.chatOf,
    probe: () =>
      ask(context, ping, PROBE_PATIENCE_MS).catch((error: unknown) => {
        if (error instanceof NetworkError && error.unanswered) livenessMonitor.silent();
        throw error;
      }),
    login: lifecycle.answers,
    reconnect() {
      livenessMonitor.reconnecting();
      lifecycle.reconnect();
    },
    groups: createGroupOperations(context, groupCache, limits),
    contacts: createContactOperations(context, book, accounts, addressing),
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

function phoneOf({ creds }: Vault): string {
  return digitsOf(creds.me?.id ?? '');
}

function meOf({ creds }: Vault): Me {
  return { id: creds.me?.id ?? '', lid: creds.me?.lid };
}
