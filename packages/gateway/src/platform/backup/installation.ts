import { type SealedBox, UnopenableBox } from '#kernel';
import type { Visit } from '#platform/store';
import type { SumEntry } from './archive.ts';
import { SafekeepingError } from './archive.ts';

/** Marker that all copies of one installation share, whichever master key seals it. */
export const INSTALLATION = 'installation';

export function contextOfMarker(name: string): string {
  return `seal marker ${name}`;
}

/** Returns the installation that a database belongs to; null if no gateway that records it has run yet. */
export async function installationOf(
  visit: Pick<Visit, 'sealMarker'>,
  box: Pick<SealedBox, 'open'>,
): Promise<string | null> {
  const sealed = await visit.sealMarker(INSTALLATION);
  if (!sealed) return null;
  try {
    return Buffer.from(box.open(sealed, contextOfMarker(INSTALLATION))).toString('hex');
  } catch (error) {
    if (!(error instanceof UnopenableBox)) throw error;
    throw new SafekeepingError(
      'the master key is not the one that this database is sealed under; set PARLEY_MASTER_KEY to that',
    );
  }
}

/** First entry of a backup: what a restore must know before it uses anything else. */
export interface About {
  /** Id of this backup. */
  readonly id: string;
  readonly made_at: string;
  readonly parley: string;
  readonly node: string;
  readonly dialect: 'sqlite' | 'postgres';
  readonly schema_version: number;
  readonly origin: Origin;
  /** `elsewhere`: in a bucket, which is not copied. */
  readonly media: 'included' | 'elsewhere';
}

/** Location of the original. */
interface Origin {
  /** The same in every copy of one installation; null if a gateway of this release has never run. */
  readonly installation: string | null;
  readonly host: string;
  /** Address without its password. */
  readonly database: string;
}

/** Last entry of a backup: what the whole of it must contain. */
export interface Manifest extends About {
  /** Rows per table; empty for a dump, which cannot be inspected. */
  readonly rows: Readonly<Record<string, number>>;
  readonly entries: readonly SumEntry[];
}

export const ABOUT = 'about.json';
export const MANIFEST = 'manifest.json';
/** Name of the database inside a backup. */
export const DATABASE = { sqlite: 'parley.db', postgres: 'parley.dump' } as const;
export const SANDBOX = 'sandbox.db';
export const MEDIA_PREFIX = 'media/';

/** Refuses names that lead out of the folder or are no plain file name. */
export function assertEntryName(name: string): void {
  if (/^(?:parley\.db|parley\.dump|sandbox\.db|media\/[\w-]+\/[\w.-]+)$/.test(name) && !name.includes('..'))
    return;
  throw new SafekeepingError(`the backup holds ${JSON.stringify(name)}, which no backup does`);
}
