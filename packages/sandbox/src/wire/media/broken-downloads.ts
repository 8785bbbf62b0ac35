import type { SessionId, World } from '../../world/index.ts';

/** The device that gets a file, and the message that carries it. */
export interface FileReader {
  readonly sessionId: SessionId;
  readonly messageId: string;
}

/** Downloads that fail by an armed fault. A file that failed once stays unavailable for that device in that message. */
export interface BrokenDownloads {
  /** An address of the file that identifies the downloading device. */
  addressFor(path: string, reader: FileReader): string;
  /** Whether a download with that query must fail. */
  includes(query: string | undefined): boolean;
  forget(sessionId: SessionId): void;
}

const scopeOf = (sessionId: SessionId): string => `media.broken/${sessionId}`;

export function createBrokenDownloads({ vault, faults }: Pick<World, 'vault' | 'faults'>): BrokenDownloads {
  return {
    addressFor: (path, { sessionId, messageId }) =>
      `${path}?${new URLSearchParams({ link: sessionId, message: messageId })}`,

    includes(query) {
      const asked = new URLSearchParams(query);
      const [sessionId, messageId] = [asked.get('link'), asked.get('message')];
      if (!sessionId || !messageId) return false;
      const scope = scopeOf(sessionId);
      if (vault.read(scope, messageId)) return true;
      if (!faults.takeForDownload(sessionId)) return false;
      vault.write(scope, messageId, new Uint8Array([1]));
      return true;
    },

    forget: (sessionId) => vault.eraseScope(scopeOf(sessionId)),
  };
}
