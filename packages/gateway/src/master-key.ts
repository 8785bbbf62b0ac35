import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, ConfigError, SETTINGS } from '#config';
import { type Random, type SealedBox, UnopenableBox } from '#kernel';
import type { Store } from '#store';
import { findSealMarker, insertSealMarker, sampleBoxes } from './seal-marker-store.ts';

/** The configured key; in development, where none is needed, one that is made once and kept in the data dir. */
export function obtainMasterKey(config: Config, random: Random): Uint8Array {
  if (config.masterKey) return config.masterKey;
  const file = path.join(config.dataDir, 'master.key');
  const kept = readKeyFile(file);
  if (kept === undefined) return makeKey(file, random);
  const key = SETTINGS.masterKey.parse(kept.trim());
  if (!key) throw new ConfigError(`${file} does not hold a master key; restore it from your backup`);
  return key;
}

function readKeyFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigError(`${file} cannot be read`);
  }
}

function makeKey(file: string, random: Random): Uint8Array {
  const key = random.bytes(32);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${Buffer.from(key).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return key;
}

const NAME = 'master key';
const CONTEXT = `seal marker ${NAME}`;

/**
 * Refuses a master key that is not the one of this database: under a wrong one everything would seem to work, while no credential opens
 * and everything new is sealed under a key that nobody meant. Changes nothing; answers whether the key was known by its marker.
 */
export async function assertMasterKey(
  { read }: Pick<Store, 'read'>,
  sealedBox: Pick<SealedBox, 'open' | 'isStale'>,
): Promise<boolean> {
  const marker = await findSealMarker(read, NAME);
  const fits = marker ? opens(sealedBox, marker.sealed) : await fitsWhatIsThere(read, sealedBox);
  if (!fits)
    throw new ConfigError(
      `The master key is not the one that this database is sealed under; set ${SETTINGS.masterKey.name} to that, or restore master.key in the data dir.`,
    );
  return marker !== undefined;
}

/** The same, and leaves the marker by which the key will be known from now on. */
export async function keepToMasterKey(
  store: Pick<Store, 'read' | 'transaction'>,
  sealedBox: SealedBox,
  now: number,
): Promise<void> {
  if (await assertMasterKey(store, sealedBox)) return;
  const marker = { name: NAME, sealed: sealedBox.seal(Buffer.from(NAME), CONTEXT), made_at: now };
  await store.transaction((trx) => insertSealMarker(trx, marker));
  // Another process may have been first, with another key.
  await assertMasterKey(store, sealedBox);
}

function opens(sealedBox: Pick<SealedBox, 'open'>, sealed: Uint8Array): boolean {
  try {
    sealedBox.open(sealed, CONTEXT);
    return true;
  } catch (error) {
    if (error instanceof UnopenableBox) return false;
    throw error;
  }
}

/** A database from before there was a marker: its credentials tell, or else its webhooks' secrets; an empty one takes every key. */
async function fitsWhatIsThere(
  read: Store['read'],
  { isStale }: Pick<SealedBox, 'isStale'>,
): Promise<boolean> {
  const samples = await sampleBoxes(read);
  return samples.length === 0 || samples.some((box) => !isStale(box));
}
