import {
  ALL_WA_PATCH_NAMES,
  type BinaryNode,
  getBinaryNodeChildren,
  type WAMessage,
  type WAPatchName,
  type WASocket,
} from 'baileys';
import { growingPause, sleepOrAbort } from '#kernel';
import { isPassing } from '#platform/store';
import { readHead } from '../convert/index.ts';
import { unlessCutOff } from '../errors.ts';
import { decodePlaintext, type JournalEntry } from '../journal/journal.ts';
import type { SessionContext } from '../session-context.ts';

const notFetched = unlessCutOff('the contacts of a phone could not be fetched');

/**
 * Fetches the state that the phone shares with its linked device. The library starts this only while it waits
 * for the whole history, which this driver does not request. So the contact list is fetched here, once per link,
 * when its key has arrived.
 *
 * The library fetches later changes when the network announces them, but does not retry when that fails: it has
 * acknowledged the announcement, and the network does not repeat it. So missed changes are fetched on every new
 * connection, and whenever the library is behind the announced version.
 */
interface AppStateSync {
  attach(sock: WASocket): void;
  /** Called when a connection opens: gives the library the arrivals that the last run left unprocessed. */
  resume(sock: WASocket): void;
  /** Called with a message for the library when the process ended before its processing was certainly done. */
  resumeLater(entry: JournalEntry): void;
}

/** Collections in which phones store changes of chats. */
export const CHAT_COLLECTIONS: readonly WAPatchName[] = ['regular', 'regular_low', 'regular_high'];
/** The library's own records of its version of each collection. */
export const COLLECTION_VERSION = 'app-state-sync-version';
/** Time for the library to fetch what was announced. */
const LOOK_AFTER_MS = 10_000;
const MOST_TRIES = 12;
const AGAIN = { firstMs: 2_000, longestMs: 60_000, jitter: 0.2 };

export function createAppStateSync(context: SessionContext): AppStateSync {
  const { clock, random } = context;
  const left: WAMessage[] = [];
  let syncing = false;
  /** Newest announced version of each collection. */
  const newestVersions = new Map<WAPatchName, number>();
  let announcementCount = 0;
  let isLooking = false;

  async function fetchContacts(sock: WASocket): Promise<void> {
    if (syncing) return;
    syncing = true;
    try {
      const { lost } = context.connection();
      const { creds } = context.vault();
      for (let tries = 1; tries <= MOST_TRIES; tries++) {
        if (!creds.myAppStateKeyId || creds.accountSyncCounter > 0) return;
        const isDone = await sock.resyncAppState(ALL_WA_PATCH_NAMES, true).then(
          () => true,
          (error: unknown) => {
            if (!lost.aborted) notFetched(error);
            return false;
          },
        );
        if (isDone) {
          sock.ev.emit('creds.update', { accountSyncCounter: creds.accountSyncCounter + 1 });
          return;
        }
        await sleepOrAbort(clock, growingPause(AGAIN, tries, random), lost);
        // The next connection retries.
        if (lost.aborted) return;
      }
    } finally {
      syncing = false;
    }
  }

  async function behind(): Promise<WAPatchName[]> {
    const known = await context.vault().read(COLLECTION_VERSION, [...newestVersions.keys()]);
    return [...newestVersions].flatMap(([name, version]) =>
      (collectionVersionIn(known.get(name)) ?? 0) < version ? [name] : [],
    );
  }

  /** Runs until all announced changes are fetched or the connection is gone. The next connection retries failures. */
  async function catchUp(sock: WASocket, also: readonly WAPatchName[]): Promise<void> {
    const { lost } = context.connection();
    let missing = also;
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      try {
        if (missing.length > 0) await sock.resyncAppState(missing, false);
        missing = await behind();
        if (missing.length === 0) return;
      } catch (error) {
        if (!lost.aborted && !isPassing(error)) unlessCutOff('changes of chats could not be fetched')(error);
      }
      await sleepOrAbort(clock, growingPause(AGAIN, tries, random), lost);
      // The next connection checks again.
      if (lost.aborted) return;
    }
  }

  /** Runs until no new announcement came for a while and all announced changes are fetched. */
  async function keepLooking(sock: WASocket): Promise<void> {
    for (let seen = -1; seen !== announcementCount; ) {
      seen = announcementCount;
      const { lost } = context.connection();
      await sleepOrAbort(clock, LOOK_AFTER_MS, lost);
      if (lost.aborted) return;
      await catchUp(sock, []);
    }
  }

  function onAnnouncement(sock: WASocket, node: BinaryNode): void {
    for (const { attrs } of getBinaryNodeChildren(node, 'collection')) {
      const name = CHAT_COLLECTIONS.find((each) => each === attrs.name);
      if (name) newestVersions.set(name, Math.max(Number(attrs.version) || 0, newestVersions.get(name) ?? 0));
    }
    announcementCount += 1;
    if (isLooking) return;
    isLooking = true;
    keepLooking(sock)
      .catch(unlessCutOff('the versions of chat changes could not be checked'))
      .finally(() => {
        isLooking = false;
      });
  }

  return {
    attach(sock) {
      sock.ev.on('creds.update', ({ myAppStateKeyId }) => {
        if (myAppStateKeyId) fetchContacts(sock).catch(notFetched);
      });
      sock.ws.on('CB:notification,type:server_sync', (node: BinaryNode) => onAnnouncement(sock, node));
    },
    resume(sock) {
      for (const message of left.splice(0))
        sock
          .upsertMessage(message, 'append')
          .catch(unlessCutOff('a message to the own account could not be processed'));
      fetchContacts(sock).catch(notFetched);
      if (context.vault().creds.accountSyncCounter > 0)
        catchUp(sock, CHAT_COLLECTIONS).catch(unlessCutOff('changes of chats could not be fetched'));
    },
    resumeLater(entry) {
      if (entry.kind !== 'message') return;
      const head = readHead(entry.attrs, context.me());
      const message = decodePlaintext(entry.plaintext);
      if (!head || !message?.protocolMessage) return;
      left.push({
        key: { id: head.messageId, remoteJid: head.remoteJid, fromMe: head.fromMe },
        message,
        messageTimestamp: head.timestamp,
      });
    },
  };
}

export function collectionVersionIn(state: unknown): number | undefined {
  const version = typeof state === 'object' && state !== null ? Reflect.get(state, 'version') : undefined;
  return typeof version === 'number' ? version : undefined;
}
