import type { SumEntry } from './archive.ts';
import { SafekeepingError } from './errors.ts';

/** Stands first in a backup: what must be known before anything of it is used. */
export interface About {
  /** Names this backup. */
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

/** Where the original lives. */
interface Origin {
  /** The same in every copy of one installation; null where a gateway of this release has never run. */
  readonly installation: string | null;
  readonly host: string;
  /** Its address, without a password. */
  readonly database: string;
}

/** Stands last: what all of it must be. */
export interface Manifest extends About {
  /** Of each table; none where a dump was taken, which cannot be looked into. */
  readonly rows: Readonly<Record<string, number>>;
  readonly entries: readonly SumEntry[];
}

export const ABOUT = 'about.json';
export const MANIFEST = 'manifest.json';
/** What the database is called inside a backup. */
export const DATABASE = { sqlite: 'parley.db', postgres: 'parley.dump' } as const;
export const SANDBOX = 'sandbox.db';
export const MEDIA_PREFIX = 'media/';

/** Neither leaves its folder nor means anything but a file in it. */
export function assertEntryName(name: string): void {
  if (/^(?:parley\.db|parley\.dump|sandbox\.db|media\/[\w-]+\/[\w.-]+)$/.test(name) && !name.includes('..'))
    return;
  throw new SafekeepingError(`the backup holds ${JSON.stringify(name)}, which no backup does`);
}
