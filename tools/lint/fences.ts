import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { doors, type Room, rooms } from './rooms.ts';

const ROOT = join(import.meta.dirname, '../..');
const TIMERS = {
  'node:timers': 'Use the injected clock.',
  'node:timers/promises': 'Use the injected clock.',
};
/** The kernel does no I/O; it may use V8's statistics of its thread. */
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

/** Files generated from the table of rooms, by path from the root. */
export function generateFences(): Record<string, string> {
  return { 'tools/lint/fences.json': fences(), 'ARCHITECTURE.md': architecture(), 'README.md': readme() };
}

/** Part of biome.json: allowed imports of each room. */
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

function group(name: string, { knows }: Room): string[] {
  const open = knows.flatMap(importsOf).map((specifier) => `!${specifier}`);
  return ['#*', '#*/*', '#*/*/*', ...open, ...(name === 'kernel' ? KERNEL : [])];
}

/** Modules of a room that higher rooms can import. */
export function importsOf(name: string): string[] {
  return [`#${name}`, ...(rooms[name]?.modules ?? []).map((module) => `#${name}/${module}`)];
}

function message(name: string, room: Room): string {
  return `${name} may import only: ${known(room)} (tools/lint/rooms.ts).`;
}

function known({ knows }: Room): string {
  return knows.join(', ') || 'the contract';
}

/** Page with its table replaced. */
function architecture(): string {
  const rows = Object.entries(rooms).map(([name, room]) => `| \`${name}\` | ${room.job} | ${known(room)} |`);
  const table = ['| Room | Job | May know |', '|---|---|---|', ...rows].join('\n');
  return readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').replace(
    /\| Room \| Job \|(?:.+\n)+/,
    `${table}\n`,
  );
}

/** Page with its tree of doors replaced. */
function readme(): string {
  const width = Math.max(...Object.keys(doors).map((name) => name.length)) + 3;
  const lines = Object.entries(doors).map(([name, job]) => `${`${name}/`.padEnd(width)}${job}`);
  return readFileSync(join(ROOT, 'README.md'), 'utf8').replace(
    /(?<=```text doors\n)[^`]*(?=```)/,
    `${lines.toReversed().join('\n')}\n`,
  );
}
