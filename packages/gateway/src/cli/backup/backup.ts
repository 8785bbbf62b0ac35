import { statSync } from 'node:fs';
import path from 'node:path';
import { createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { backUp, checkBackup, giveUpRestore, type Manifest, type Progress, restore } from '#platform/backup';
import { lockDatabase } from '#platform/store';
import manifest from '../../../package.json' with { type: 'json' };
import { keyFile, requireMasterKeys } from '../../app/master-key.ts';
import { type Config, loadConfig, readEnvironment, SETTINGS } from '../../config/config.ts';
import { CommandError, type Input } from '../command.ts';
import type { BACKUP, RESTORE } from '../specs.ts';
import { asFields, type Terminal } from '../terminal.ts';

/** Writes an installation into one sealed file while it runs. */
export async function backup({ args, options, terminal }: Input<typeof BACKUP>): Promise<void> {
  const config = loadConfig(readEnvironment());
  const clock = createSystemClock();
  const file = fileOf(args.file, clock.now());
  const made = await backUp({
    ...config,
    file,
    dump: options.dump,
    version: manifest.version,
    box: createSealedBox({ masterKeys: requireMasterKeys(config), random: systemRandom }),
    clock,
    random: systemRandom,
    onProgress: showBackupProgress(terminal),
  });
  terminal.show({ file, ...printableOf(made) }, () => backupFarewell(file, made, config));
}

function fileOf(given: string, now: number): string {
  const place = path.resolve(given);
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place;
  const time = new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  return path.join(place, `parley-${time}.backup`);
}

/** What the manifest says, without the list of all files. */
function printableOf({ entries, ...about }: Manifest): object {
  return { ...about, files: entries.length, bytes: sizeOf(entries) };
}

export function sizeOf(entries: Manifest['entries']): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

function describeManifest(made: Manifest): string {
  const { rows, entries, origin } = made;
  return asFields({
    made_at: made.made_at,
    of: `${origin.database} on ${origin.host}`,
    parley: `${made.parley}, schema ${made.schema_version}`,
    numbers: rows.network_links,
    rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
    files: `${entries.length}, ${Math.ceil(sizeOf(entries) / 1024)} KB`,
  });
}

/** A line that is written over where the terminal can do that, whenever another tenth is done. */
function showBackupProgress(terminal: Terminal): (progress: Progress) => void {
  let shown = '';
  return ({ step, done, of }) => {
    const tenths = of === 0 ? 10 : Math.floor((10 * done) / of);
    if (shown === `${step} ${tenths}`) return;
    shown = `${step} ${tenths}`;
    terminal.picture(step === 'database' ? `database: ${10 * tenths} %` : `files: ${done} of ${of}`);
  };
}

function backupFarewell(file: string, made: Manifest, config: Config): string {
  const key = config.masterKeys ? `${SETTINGS.masterKeys.name}` : keyFile(config);
  const bucket =
    made.media === 'elsewhere' ? ['Files in the bucket are not in it; they stay where they are.'] : [];
  return [
    describeManifest(made),
    '',
    `${file} is whole. It opens with the master key alone (${key}), which is not in it: keep that elsewhere.`,
    ...bucket,
  ].join('\n');
}

/** Puts a backup into the data dir, or only looks through it. */
export async function restoreBackup({ args, options, terminal }: Input<typeof RESTORE>): Promise<void> {
  const config = loadConfig(readEnvironment());
  if (options['give-up']) return giveUp(config, terminal);
  if (args.file === undefined) throw new CommandError('file is missing; try parley restore --help');
  const file = path.resolve(args.file);
  const box = createSealedBox({ masterKeys: requireMasterKeys(config), random: systemRandom });
  const onProgress = showRestoreProgress(terminal);
  if (options.check) {
    const found = await checkBackup({ file, box, onProgress });
    terminal.show(printableOf(found), () => `${describeManifest(found)}\n\n${file} is whole.`);
    return;
  }
  const restored = await restore({
    file,
    dataDir: config.dataDir,
    mediaUrl: config.mediaUrl,
    box,
    original: { url: addressOf(options.original), isGone: options['original-is-gone'] === true },
    clock: createSystemClock(),
    onProgress,
  });
  terminal.show(printableOf(restored), () => restoreFarewell(restored, config));
}

async function giveUp({ databaseUrl }: Config, terminal: Terminal): Promise<void> {
  const lock = lockDatabase(databaseUrl);
  try {
    await giveUpRestore(databaseUrl);
  } finally {
    lock.release();
  }
  terminal.show(
    { given_up: true },
    () => 'The database is open again. See to it that the restored copy never runs.',
  );
}

function addressOf(original: string | undefined): string | undefined {
  if (original === undefined) return undefined;
  const address = SETTINGS.databaseUrl.parse(original);
  if (address === undefined) throw new CommandError(`--original must be ${SETTINGS.databaseUrl.takes}`);
  return address;
}

/** Whenever another 16 MB are done. */
const PROGRESS_EVERY_BYTES = 16 * 1024 ** 2;

function showRestoreProgress(terminal: Terminal): (entry: { bytes: number; name: string }) => void {
  let [files, bytes, shown] = [0, 0, -1];
  return (entry) => {
    files += 1;
    bytes += entry.bytes;
    const steps = Math.floor(bytes / PROGRESS_EVERY_BYTES);
    if (steps === shown) return;
    shown = steps;
    terminal.picture(`files: ${files}, ${Math.ceil(bytes / 1024 ** 2)} MB`);
  };
}

function restoreFarewell(restored: Manifest, { dataDir }: Config): string {
  const dump = path.join(dataDir, 'parley.dump');
  const last =
    restored.dialect === 'sqlite'
      ? 'Everything is in place, and agrees with the manifest. Start the gateway with the same master key.'
      : [
          'Files are in place. Fill an empty database, then start the gateway on it with the same master key, and delete the dump:',
          `  pg_restore --no-owner --exit-on-error --dbname="$${SETTINGS.databaseUrl.name}" ${dump}`,
        ].join('\n');
  return [describeManifest(restored), '', last].join('\n');
}
