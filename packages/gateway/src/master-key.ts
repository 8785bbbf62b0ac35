import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, ConfigError } from '#config';
import { parseMasterKey, type Random } from '#kernel';

/** The configured key; in development, where none is needed, one that is made once and kept in the data dir. */
export function obtainMasterKey(config: Config, random: Random): Uint8Array {
  if (config.masterKey) return config.masterKey;
  const file = path.join(config.dataDir, 'master.key');
  const kept = read(file);
  if (kept === undefined) return makeKey(file, random);
  const key = parseMasterKey(kept.trim());
  if (!key) throw new ConfigError(`${file} does not hold a master key; restore it from your backup`);
  return key;
}

function read(file: string): string | undefined {
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
