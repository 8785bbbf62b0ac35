import {
  ALL_WA_PATCH_NAMES,
  type BinaryNode,
  getBinaryNodeChildren,
  type WAMessage,
  type WAPatchName,
  type WASocket,
} from 'baileys';
import { growingPause, sleepOrAbort } from '#kernel';
import { isPassing } from '#store';
import { readHead } from '../convert/index.ts';
import { unlessCutOff } from '../errors.ts';
import { decodePlaintext, type JournalEntry } from '../journal/index.ts';
import type { SessionContext } from '../session-context.ts';

const notFetched = unlessCutOff('the contacts of a phone could not be fetched');

/**
 * What the phone shares with its linked device. The library starts it only while it waits for the whole history, which this driver does not
 * ask for, so the contact list is fetched here: once per link, when the key to it has come.
 *
 * Later changes the library fetches when the network tells of them, but not again when that fails: the network takes its word for received
 * and tells it no more. So what was missed is looked for on every new connection, and whenever the library has not come as far as it was told.
 */
interface AppStateSync {
  attach(sock: WASocket): void;
  /** A connection is open: give the library what the last run left unprocessed. */
  resume(sock: WASocket): void;
  /** A message for the library itself came, and the process ended before its work on it was surely done. */
  resumeLater(entry: JournalEntry): void;
}

/** Those in which phones keep what is done with chats. */
export const CHAT_COLLECTIONS: readonly WAPatchName[] = ['regular', 'regular_low', 'regular_high'];
/** The library's own records of how far it knows each collection. */
export const COLLECTION_VERSION = 'app-state-sync-version';
/** Time enough for the library to have fetched what it was told of. */
const LOOK_AFTER_MS = 10_000;
const MOST_TRIES = 12;
const AGAIN = { firstMs: 2_000, longestMs: 60_000, jitter: 0.2 };

export function createAppStateSync(context: SessionContext): AppStateSync {
  const { clock, random } = context;
  const left: WAMessage[] = [];
  let syncing = false;
  /** The newest version of each collection that the network has told of. */
  const told = new Map<WAPatchName, number>();
  let timesTold = 0;
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
        // The next connection tries again.
        if (lost.aborted) return;
      }
    } finally {
      syncing = false;
    }
  }

  async function behind(): Promise<WAPatchName[]> {
    const known = await context.vault().read(COLLECTION_VERSION, [...told.keys()]);
    return [...told].flatMap(([name, version]) =>
      (collectionVersionIn(known.get(name)) ?? 0) < version ? [name] : [],
    );
  }

  /** Until all that was told is there, or the connection is gone. What cannot be had is left to the next connection. */
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
      // The next connection looks for itself.
      if (lost.aborted) return;
    }
  }

  /** Until nothing new was told for a while, and all that was told is there. */
  async function keepLooking(sock: WASocket): Promise<void> {
    for (let seen = -1; seen !== timesTold; ) {
      seen = timesTold;
      const { lost } = context.connection();
      await sleepOrAbort(clock, LOOK_AFTER_MS, lost);
      if (lost.aborted) return;
      await catchUp(sock, []);
    }
  }

  function hear(sock: WASocket, node: BinaryNode): void {
    for (const { attrs } of getBinaryNodeChildren(node, 'collection')) {
      const name = CHAT_COLLECTIONS.find((each) => each === attrs.name);
      if (name) told.set(name, Math.max(Number(attrs.version) || 0, told.get(name) ?? 0));
    }
    timesTold += 1;
    if (isLooking) return;
    isLooking = true;
    keepLooking(sock)
      .catch(unlessCutOff('changes of chats could not be looked for'))
      .finally(() => {
        isLooking = false;
      });
  }

  return {
    attach(sock) {
      sock.ev.on('creds.update', ({ myAppStateKeyId }) => {
        if (myAppStateKeyId) fetchContacts(sock).catch(notFetched);
      });
      sock.ws.on('CB:notification,type:server_sync', (node: BinaryNode) => hear(sock, node));
    },
    resume(sock) {
      for (const message of left.splice(0))
        sock
          .upsertMessage(message, 'append')
          .catch(unlessCutOff('a message to ourselves could not be taken'));
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
