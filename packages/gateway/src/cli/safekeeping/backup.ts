import { statSync } from 'node:fs';
import path from 'node:path';
import { createSealedBox, createSystemClock, systemRandom } from '#kernel';
import { backUp, type Manifest, type Progress } from '#safekeeping';
import manifest from '../../../package.json' with { type: 'json' };
import { type Config, loadConfig, readEnvironment, SETTINGS } from '../../config.ts';
import { keyFile, requireMasterKeys } from '../../master-key.ts';
import type { Input } from '../command.ts';
import type { BACKUP } from '../specs.ts';
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
    onProgress: showProgress(terminal),
  });
  terminal.show({ file, ...toldOf(made) }, () => farewell(file, made, config));
}

function fileOf(given: string, now: number): string {
  const place = path.resolve(given);
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place;
  const time = new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  return path.join(place, `parley-${time}.backup`);
}

/** What the manifest says, without the list of all files. */
export function toldOf({ entries, ...about }: Manifest): object {
  return { ...about, files: entries.length, bytes: sizeOf(entries) };
}

export function sizeOf(entries: Manifest['entries']): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

export function describeManifest(made: Manifest): string {
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
function showProgress(terminal: Terminal): (progress: Progress) => void {
  let shown = '';
  return ({ step, done, of }) => {
    const tenths = of === 0 ? 10 : Math.floor((10 * done) / of);
    if (shown === `${step} ${tenths}`) return;
    shown = `${step} ${tenths}`;
    terminal.picture(step === 'database' ? `database: ${10 * tenths} %` : `files: ${done} of ${of}`);
  };
}

function farewell(file: string, made: Manifest, config: Config): string {
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
