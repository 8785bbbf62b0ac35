import { settled } from '#kernel';
import type { Vault } from '../vault/index.ts';
import type { TerminalState } from './connection-lifecycle.ts';

/**
 * Terminal state of a number that the network refuses, stored with the link: the next host, in any process,
 * waits until its time.
 */
const RECORD = { kind: 'last-word', id: '' } as const;

interface Kept {
  readonly word: TerminalState;
  /** The refused version of the client. */
  readonly version: string;
}

export interface TerminalStates {
  /** Undefined when there is none, or when it refused another version of the client. */
  recall(vault: Pick<Vault, 'read'>): Promise<TerminalState | undefined>;
  keep(word: TerminalState): void;
  /** Called when the network has accepted a login. */
  forget(): void;
  settled(): Promise<void>;
}

export function createTerminalStates({
  vault,
  version,
}: {
  vault: () => Vault;
  version: () => string;
}): TerminalStates {
  let isKept = false;
  /** In order. A failed write breaks the vault, which closes the connection. */
  let writing: Promise<unknown> = Promise.resolve();

  function write(change: Parameters<Vault['commit']>[0]): void {
    writing = settled(writing.then(() => vault().commit(change)));
  }

  return {
    async recall(opened) {
      const records = await opened.read(RECORD.kind, [RECORD.id]);
      const kept = records.get(RECORD.id) as Kept | undefined;
      if (!kept) return undefined;
      isKept = true;
      const isAboutClient = kept.word.kind === 'refused' && kept.word.reason.startsWith('client_');
      return isAboutClient && kept.version !== version() ? undefined : kept.word;
    },
    keep(word) {
      isKept = true;
      const value: Kept = { word, version: version() };
      write({ puts: [{ ...RECORD, value }] });
    },
    forget() {
      if (!isKept) return;
      isKept = false;
      write({ deletes: [RECORD] });
    },
    settled: async () => void (await writing),
  };
}
