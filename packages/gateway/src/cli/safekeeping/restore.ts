import path from 'node:path';
import { createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { checkBackup, giveUpRestore, type Manifest, restore } from '#safekeeping';
import { lockDatabase } from '#store';
import { type Config, loadConfig, readEnvironment, SETTINGS } from '../../config.ts';
import { requireMasterKeys } from '../../master-key.ts';
import { CommandError, type Input } from '../command.ts';
import type { RESTORE } from '../specs.ts';
import type { Terminal } from '../terminal.ts';
import { describeManifest, toldOf } from './backup.ts';

/** Puts a backup into the data dir, or only looks through it. */
export async function restoreBackup({ args, options, terminal }: Input<typeof RESTORE>): Promise<void> {
  const config = loadConfig(readEnvironment());
  if (options['give-up']) return giveUp(config, terminal);
  if (args.file === undefined) throw new CommandError('file is missing; try parley restore --help');
  const file = path.resolve(args.file);
  const box = createSealedBox({ masterKeys: requireMasterKeys(config), random: systemRandom });
  const onProgress = showProgress(terminal);
  if (options.check) {
    const found = await checkBackup({ file, box, onProgress });
    terminal.show(toldOf(found), () => `${describeManifest(found)}\n\n${file} is whole.`);
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
  terminal.show(toldOf(restored), () => farewell(restored, config));
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
const TOLD_EVERY_BYTES = 16 * 1024 ** 2;

function showProgress(terminal: Terminal): (entry: { bytes: number; name: string }) => void {
  let [files, bytes, told] = [0, 0, -1];
  return (entry) => {
    files += 1;
    bytes += entry.bytes;
    const steps = Math.floor(bytes / TOLD_EVERY_BYTES);
    if (steps === told) return;
    told = steps;
    terminal.picture(`files: ${files}, ${Math.ceil(bytes / 1024 ** 2)} MB`);
  };
}

function farewell(restored: Manifest, { dataDir }: Config): string {
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
