import type { SessionId, World } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';

/** The device that gets a file, and the message that carries it. */
export interface FileReader {
  readonly sessionId: SessionId;
  readonly messageId: string;
}

/** Files that an armed fault took from the media servers, for one device in one message. */
export interface BrokenDownloads {
  /** An address of the file that identifies the downloading device; another one once its phone has uploaded it again. */
  addressFor(path: string, reader: FileReader): string;
  /** Whether a download with that query must fail. */
  includes(query: string | undefined): boolean;
  /** The phone is asked for the file: uploads it again, or answers false for one that it does not have any more. */
  renew(reader: FileReader): boolean;
  forget(sessionId: SessionId): void;
}

interface Broken {
  readonly reason: 'expired' | 'gone';
  /** Uploads that have expired, and uploads of the phone. */
  readonly expired: number;
  readonly uploads: number;
}

const scopeOf = (sessionId: SessionId): string => `media.broken/${sessionId}`;

export function createBrokenDownloads({ vault, faults }: Pick<World, 'vault' | 'faults'>): BrokenDownloads {
  const find = ({ sessionId, messageId }: FileReader): Broken | undefined => {
    const kept = vault.read(scopeOf(sessionId), messageId);
    return kept && fromBytes<Broken>(kept);
  };
  const write = ({ sessionId, messageId }: FileReader, broken: Broken): void =>
    vault.write(scopeOf(sessionId), messageId, toBytes(broken));

  return {
    addressFor(path, reader) {
      const { sessionId: link, messageId: message } = reader;
      const upload = find(reader)?.uploads ?? 0;
      const query = { link, message, ...(upload > 0 && { upload: String(upload) }) };
      return `${path}?${new URLSearchParams(query)}`;
    },

    includes(query) {
      const asked = new URLSearchParams(query);
      const [sessionId, messageId] = [asked.get('link'), asked.get('message')];
      if (!sessionId || !messageId) return false;
      const reader = { sessionId, messageId };
      const upload = Number(asked.get('upload') ?? 0);
      const broken = find(reader);
      if (broken && (broken.reason === 'gone' || upload < broken.expired)) return true;
      const reason = faults.takeForDownload(sessionId);
      if (reason === undefined) return false;
      write(reader, { reason, expired: upload + 1, uploads: upload });
      return true;
    },

    renew(reader) {
      const broken = find(reader);
      if (broken?.reason === 'gone') return false;
      if (broken) write(reader, { ...broken, uploads: broken.expired });
      return true;
    },

    forget: (sessionId) => vault.eraseScope(scopeOf(sessionId)),
  };
}
