import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, ConfigError, SETTINGS } from '#config';
import {
  createSealedBox,
  fingerprintKeyOf,
  type MasterKeys,
  type Random,
  type SealedBox,
  UnopenableBox,
} from '#kernel';
import { contextOfMarker, INSTALLATION } from '#platform/backup';
import type { Store } from '#platform/store';
import {
  insertSealMarkers,
  readSealMarkers,
  replaceSealMarkers,
  type SealMarkers,
  sampleBoxes,
} from './seal-marker-queries.ts';

/** The configured keys; in development, without any, one that is generated once and stored in the data directory. */
export function obtainMasterKeys(config: Config, random: Random): MasterKeys {
  return config.masterKeys ?? keptMasterKeys(config) ?? [makeKey(keyFile(config), random)];
}

/** The same for commands that must not generate one. */
export function requireMasterKeys(config: Config): MasterKeys {
  const keys = config.masterKeys ?? keptMasterKeys(config);
  if (!keys) throw new ConfigError(`${SETTINGS.masterKeys.name} is missing; set it to that of the gateway`);
  return keys;
}

export function keyFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'master.key');
}

function keptMasterKeys(config: Config): MasterKeys | undefined {
  const file = keyFile(config);
  if (!existsSync(file)) return undefined;
  const keys = SETTINGS.masterKeys.parse(readKeyFile(file).trim());
  if (!keys) throw new ConfigError(`${file} does not hold a master key; restore it from your backup`);
  return keys;
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${file} cannot be read`, { cause: error });
  }
}

function makeKey(file: string, random: Random): Uint8Array {
  const key = random.bytes(32);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${Buffer.from(key).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return key;
}

/** Sealed under the current master key. */
const MASTER_KEY = 'master key';
/** Present while the key is changed: sealed under the new one. */
const NEXT_MASTER_KEY = 'next master key';
/** Key for fingerprints, which outlives changes of the master key. */
const FINGERPRINT_KEY = 'fingerprint key';
const MARKERS = [MASTER_KEY, FINGERPRINT_KEY, INSTALLATION] as const;
const INSTALLATION_BYTES = 16;

/**
 * Refuses a master key that is not the one of this database: with a wrong one everything would seem to work, while no credential opens
 * and new data is sealed under an unintended key. Changes nothing.
 */
export async function assertMasterKey(
  { read }: Pick<Store, 'read'>,
  sealedBox: Pick<SealedBox, 'open' | 'knows'>,
): Promise<void> {
  await assertFits(read, sealedBox, await readSealMarkers(read));
}

async function assertFits(
  read: Store['read'],
  sealedBox: Pick<SealedBox, 'open' | 'knows'>,
  markers: SealMarkers,
): Promise<void> {
  const fits = markers.has(MASTER_KEY)
    ? opened(sealedBox, MASTER_KEY, markers) !== undefined
    : await fitsWhatIsThere(read, sealedBox);
  if (!fits)
    throw new ConfigError(
      `The master key is not the one that this database is sealed under; set ${SETTINGS.masterKeys.name} to that, or restore master.key in the data dir.`,
    );
  if (markers.has(NEXT_MASTER_KEY) && !opened(sealedBox, NEXT_MASTER_KEY, markers))
    throw new ConfigError(
      `The master key of this database is being changed; until parley rotate-master-key has done that, set ${SETTINGS.masterKeys.name} to the new one, a comma and the old one.`,
    );
}

/** The same, and stores the markers that identify the key and the installation. */
export async function keepToMasterKey(
  store: Pick<Store, 'read' | 'transaction'>,
  masterKeys: MasterKeys,
  { random, now }: { random: Pick<Random, 'bytes'>; now: number },
): Promise<{ fingerprintKey: Uint8Array }> {
  const sealedBox = createSealedBox({ masterKeys, random });
  let markers = await readSealMarkers(store.read);
  await assertFits(store.read, sealedBox, markers);
  if (MARKERS.some((name) => !markers.has(name))) {
    const rows = Object.entries(newMarkers(masterKeys, markers, random)).map(([name, content]) => ({
      ...{ name, sealed: sealedBox.seal(content, contextOfMarker(name)), made_at: now },
    }));
    await store.transaction((trx) => insertSealMarkers(trx, rows));
    // Another process may have stored markers first, with another key.
    markers = await readSealMarkers(store.read);
    await assertFits(store.read, sealedBox, markers);
  }
  await announceNext(store, sealedBox, markers, now);
  const fingerprintKey = opened(sealedBox, FINGERPRINT_KEY, markers);
  if (!fingerprintKey) throw new ConfigError('The master key does not open all markers of this database.');
  return { fingerprintKey };
}

/** Before anything is sealed under a new key: prevents starts of processes that have only the old one. */
async function announceNext(
  store: Pick<Store, 'transaction'>,
  sealedBox: SealedBox,
  markers: SealMarkers,
  now: number,
): Promise<void> {
  const marker = markers.get(MASTER_KEY);
  if (!marker || !sealedBox.isStale(marker) || markers.has(NEXT_MASTER_KEY)) return;
  const sealed = sealedBox.seal(Buffer.from(NEXT_MASTER_KEY), contextOfMarker(NEXT_MASTER_KEY));
  await store.transaction((trx) => insertSealMarkers(trx, [{ name: NEXT_MASTER_KEY, sealed, made_at: now }]));
}

/** Last step of a key change: the new key becomes the one of this database, and the old one is not needed any more. */
export async function settleMasterKey(
  store: Pick<Store, 'read' | 'transaction'>,
  sealedBox: SealedBox,
): Promise<void> {
  const markers = await readSealMarkers(store.read);
  const resealed = MARKERS.flatMap((name) => {
    const content = opened(sealedBox, name, markers);
    return content ? [{ name, sealed: sealedBox.seal(content, contextOfMarker(name)) }] : [];
  });
  await store.transaction((trx) => replaceSealMarkers(trx, resealed, NEXT_MASTER_KEY));
}

function newMarkers(
  masterKeys: MasterKeys,
  markers: SealMarkers,
  random: Pick<Random, 'bytes'>,
): Record<(typeof MARKERS)[number], Uint8Array> {
  const isKnown = (key: Uint8Array): boolean =>
    opened(createSealedBox({ masterKeys: [key], random }), MASTER_KEY, markers) !== undefined;
  return {
    [MASTER_KEY]: Buffer.from(MASTER_KEY),
    // Without a stored key, fingerprints were made with one derived from the master key.
    [FINGERPRINT_KEY]: fingerprintKeyOf(masterKeys.find(isKnown) ?? masterKeys[0]),
    [INSTALLATION]: random.bytes(INSTALLATION_BYTES),
  };
}

function opened(
  sealedBox: Pick<SealedBox, 'open'>,
  name: string,
  markers: SealMarkers,
): Uint8Array | undefined {
  const sealed = markers.get(name);
  try {
    return sealed && sealedBox.open(sealed, contextOfMarker(name));
  } catch (error) {
    if (error instanceof UnopenableBox) return undefined;
    throw error;
  }
}

/** For a database older than the markers: its credentials decide, or else its webhooks' secrets; an empty one accepts every key. */
async function fitsWhatIsThere(read: Store['read'], { knows }: Pick<SealedBox, 'knows'>): Promise<boolean> {
  const samples = await sampleBoxes(read);
  return samples.length === 0 || samples.some(knows);
}
