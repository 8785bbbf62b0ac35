/** `npm run fences`: writes what is made from the table of rooms. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Room, rooms } from './rooms.ts';

const ROOT = join(import.meta.dirname, '../..');
const TIMERS = {
  'node:timers': 'Use the injected clock.',
  'node:timers/promises': 'Use the injected clock.',
};
/** The kernel does no I/O; it may know what V8 does in its thread. */
const KERNEL = [
  '@parley/*',
  '@parley/*/*',
  '!@parley/contract',
  '!@parley/contract/plain',
  'node:*',
  '!node:crypto',
  '!node:perf_hooks',
  '!node:v8',
  '!node:vm',
];

/** What must stand in each of these files, by its path from the root. */
export function generated(): Record<string, string> {
  return { 'tools/lint/fences.json': fences(), 'ARCHITECTURE.md': architecture() };
}

/** A part of biome.json: which room may import which. */
function fences(): string {
  const overrides = Object.entries(rooms).map(([name, room]) => ({
    includes: [`packages/gateway/src/${name}/**`],
    linter: {
      rules: {
        style: {
          noRestrictedImports: {
            level: 'error',
            options: {
              paths: TIMERS,
              patterns: [{ group: group(name, room), message: message(name, room) }],
            },
          },
        },
      },
    },
  }));
  return `${JSON.stringify({ $schema: '../../node_modules/@biomejs/biome/configuration_schema.json', overrides }, undefined, 2)}\n`;
}

function group(name: string, { knows, outside = [] }: Room): string[] {
  const open = [...knows.flatMap(doorsOf), ...outside].map((door) => `!#${door}`);
  return ['#*', '#*/*', ...open, ...(name === 'kernel' ? KERNEL : [])];
}

function doorsOf(name: string): string[] {
  return [name, ...(rooms[name]?.doors ?? []).map((door) => `${name}/${door}`)];
}

function message(name: string, room: Room): string {
  return `${name} may import only: ${known(room)} (tools/lint/rooms.ts).`;
}

function known({ knows, outside = [] }: Room): string {
  return [...knows, ...outside].join(', ') || 'the contract';
}

/** The page as it is, with the table as it must be. */
function architecture(): string {
  const rows = Object.entries(rooms).map(([name, room]) => `| \`${name}\` | ${room.job} | ${known(room)} |`);
  const table = ['| Room | Job | May know |', '|---|---|---|', ...rows].join('\n');
  return readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').replace(
    /\| Room \| Job \|(?:.+\n)+/,
    `${table}\n`,
  );
}

if (import.meta.main)
  for (const [path, text] of Object.entries(generated())) writeFileSync(join(ROOT, path), text);
