import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findProgram } from '../services/processes.ts';

const folders: string[] = [];

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-process-'));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Hashes of all files below a folder, to detect any change. */
export function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(names.map((name) => [name, describeFile(join(folder, name))]));
}

function describeFile(path: string): string {
  if (statSync(path).isDirectory()) return 'folder';
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** A Node.js of this machine that is too old to run Parley, if there is one. */
export function findOldNode(): string | undefined {
  const outside = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const node = findProgram('node', outside);
  if (!node || node.includes('node_modules')) return undefined;
  const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  return Number.parseInt(version, 10) < 24 ? node : undefined;
}

/** An unprivileged user: the current one, or the system user 65534 for root. */
export function ordinaryUser(): { uid: number; gid: number } | undefined {
  const unprivilegedId = 65_534;
  return process.getuid?.() === 0 ? { uid: unprivilegedId, gid: unprivilegedId } : undefined;
}
