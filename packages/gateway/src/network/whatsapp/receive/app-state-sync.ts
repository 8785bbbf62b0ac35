import { ALL_WA_PATCH_NAMES, type WAMessage, type WASocket } from 'baileys';
import { readHead } from '../convert/index.ts';
import { decodePlaintext, type JournalEntry } from '../journal/index.ts';
import type { SessionContext } from '../session-context.ts';

/**
 * What the phone shares with its linked device. The library starts it only while it waits for the whole history, which this driver does not
 * ask for, so the contact list is fetched here: once per link, when the key to it has come.
 */
interface AppStateSync {
  attach(sock: WASocket): void;
  /** A connection is open: give the library what the last run left unprocessed. */
  resume(sock: WASocket): void;
  /** A message for the library itself came, and the process ended before its work on it was surely done. */
  resumeLater(entry: JournalEntry): void;
}

export function createAppStateSync(context: SessionContext): AppStateSync {
  const left: WAMessage[] = [];
  let syncing = false;

  async function fetchContacts(sock: WASocket): Promise<void> {
    const { creds } = context.vault();
    if (syncing || !creds.myAppStateKeyId || creds.accountSyncCounter > 0) return;
    syncing = true;
    try {
      await sock.resyncAppState(ALL_WA_PATCH_NAMES, true);
      sock.ev.emit('creds.update', { accountSyncCounter: creds.accountSyncCounter + 1 });
    } catch {
      // The next connection tries again.
    } finally {
      syncing = false;
    }
  }

  return {
    attach(sock) {
      sock.ev.on('creds.update', ({ myAppStateKeyId }) => {
        if (myAppStateKeyId) void fetchContacts(sock);
      });
    },
    resume(sock) {
      for (const message of left.splice(0)) sock.upsertMessage(message, 'append').catch(() => {});
      void fetchContacts(sock);
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
