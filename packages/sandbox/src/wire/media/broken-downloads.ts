import type { SessionId, World } from '../../world/index.ts';

/** Who is told where a file lies, and in which message. */
export interface FileReader {
  readonly sessionId: SessionId;
  readonly messageId: string;
}

/** Downloads that fail because somebody ordered it. A file that could not be had once stays out of reach, for that device in that message. */
export interface BrokenDownloads {
  /** An address of the file from which it is known who downloads it. */
  addressFor(path: string, reader: FileReader): string;
  /** Whether a download from that address, by its query, must fail. */
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
