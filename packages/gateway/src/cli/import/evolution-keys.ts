import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '#kernel';
import { FOREIGN_KEY_KINDS, type ForeignKey, readForeignKey } from '#network/whatsapp';

const ENDING = '.json';

/**
 * The keys of an instance's chats, which Evolution API keeps in files of their own where it has no Redis: `instances/<id>/<kind>-<id>.json`.
 * Undefined when it has no such folder.
 */
export async function readKeys(folder: string, instanceId: string): Promise<ForeignKey[] | undefined> {
  const place = path.join(folder, path.basename(instanceId));
  const names = await readdir(place).catch(unlessMissing);
  if (!names) return undefined;
  const keys: ForeignKey[] = [];
  for (const file of names) {
    const name = keyNamed(file);
    const value = name && readForeignKey(await readFile(path.join(place, file), 'utf8'));
    if (value !== undefined) keys.push({ ...name, value } as ForeignKey);
  }
  return keys;
}

/** Undefined for what is no key, or of a kind that is not taken over. */
export function keyNamed(file: string): Pick<ForeignKey, 'kind' | 'id'> | undefined {
  if (!file.endsWith(ENDING)) return undefined;
  const kind = FOREIGN_KEY_KINDS.find((each) => file.startsWith(`${each}-`));
  return kind && { kind, id: idOf(kind, file.slice(kind.length + 1, -ENDING.length)) };
}

/** Slashes and colons were replaced in names of files; each kind says where they had been. */
function idOf(kind: string, written: string): string {
  if (kind === 'app-state-sync-key') return written.replaceAll('__', '/');
  return kind === 'sender-key' ? written.replace(/--((?:(?!--)[^@])+)--(\d+)$/, '::$1::$2') : written;
}
