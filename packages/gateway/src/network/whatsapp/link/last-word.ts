import { settled } from '#kernel';
import type { Vault } from '../vault/index.ts';
import type { LastWord } from './connection-lifecycle.ts';

/**
 * What the network said at last to a number that it does not let in, kept with the link: whoever holds the link next, in this process or
 * another, does not knock before it is time.
 */
const RECORD = { kind: 'last-word', id: '' } as const;

interface Kept {
  readonly word: LastWord;
  /** The version of the client that was refused. */
  readonly version: string;
}

export interface LastWords {
  /** Undefined when there is none, or when it was about a client that is another one by now. */
  recall(vault: Pick<Vault, 'read'>): Promise<LastWord | undefined>;
  keep(word: LastWord): void;
  /** The network has let us in. */
  forget(): void;
  settled(): Promise<void>;
}

export function createLastWords({
  vault,
  version,
}: {
  vault: () => Vault;
  version: () => string;
}): LastWords {
  let isKept = false;
  /** In the order of what they say. A failed write is a broken vault, which the connection hears of. */
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
