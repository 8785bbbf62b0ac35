import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importsOf } from './fences.ts';
import { ABOVE_THE_ROOMS, doors, rooms } from './rooms.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = readdirSync(join(root, 'packages/gateway/src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const names = Object.keys(rooms);
const modules = Object.entries(rooms).flatMap(([name, { modules: own = [] }]) =>
  own.map((module) => `${name}/${module}`),
);
const doorOf = (name: string): string => name.replace(/\/.*/, '');

const room = (name: string): string => `packages/gateway/src/${name}`;

/** Forbidden imports by file. */
const VIOLATIONS: Record<string, readonly [path: string, code: string]> = {
  'the kernel knows the store': [`${room('kernel')}/a.ts`, "import { openStore } from '#platform/store';"],
  'the kernel touches the disk': [`${room('kernel')}/b.ts`, "import { readFileSync } from 'node:fs';"],
  'accounts know messages': [`${room('accounts')}/a.ts`, "import { accept } from '#messages';"],
  'accounts know the app': [`${room('accounts')}/b.ts`, "import { createApp } from '../app/index.ts';"],
  'accounts know the app by its public name': [
    `${room('accounts')}/c.ts`,
    "import { createApp } from '@parley/gateway/app';",
  ],
  'accounts use the side door of a room that they must not know': [
    `${room('accounts')}/d.ts`,
    "import { accept } from '#messages/write-commands';",
  ],
  'a room is entered by a door that it does not have': [
    `${room('messages')}/p.ts`,
    "import { record } from '#accounts/audit';",
  ],
  'http knows accounts': [`${room('platform/http')}/a.ts`, "import { createDirectory } from '#accounts';"],
  'the store knows http': [`${room('platform/store')}/a.ts`, "import { serve } from '#platform/http';"],
  'webhooks know sessions': [`${room('webhooks')}/a.ts`, "import { createSessions } from '#sessions';"],
  'the contract does I/O': ['packages/contract/src/a.ts', "import { readFileSync } from 'node:fs';"],
  'the contract knows the gateway': [
    'packages/contract/src/b.ts',
    "import { Fault } from '@parley/gateway/kernel';",
  ],
  'the world knows its wire': [
    'packages/sandbox/src/world/a.ts',
    "import { listen } from '../wire/index.ts';",
  ],
  'a room is entered by climbing': [
    `${room('messages')}/a.ts`,
    "import { record } from '../accounts/audit.ts';",
  ],
  'a room is entered by climbing from deeper': [
    `${room('network')}/whatsapp/a.ts`,
    "import { types } from '../../platform/store/columns.ts';",
  ],
  'a room inside a door is entered by climbing': [
    `${room('platform/http')}/b.ts`,
    "import { types } from '../store/columns.ts';",
  ],
  'a type leads back to the file that needs it': [
    `${room('messages')}/q.ts`,
    "import type { Answer } from './r.ts';\nexport type Question = Answer | null;",
  ],
  'the other one does as well': [
    `${room('messages')}/r.ts`,
    "import type { Question } from './q.ts';\nexport interface Answer { to: Question }",
  ],
  'time comes from the machine': [`${room('messages')}/b.ts`, 'export const now = Date.now();'],
  'a date comes from the machine': [`${room('messages')}/c.ts`, 'export const today = new Date();'],
  'a duration comes from the machine': [`${room('messages')}/d.ts`, 'export const at = performance.now();'],
  'chance comes from the machine': [`${room('messages')}/e.ts`, 'export const luck = Math.random();'],
  'a timer comes from the machine': [`${room('messages')}/f.ts`, 'export const t = setTimeout(() => {}, 1);'],
  'an interval comes from the machine': [
    `${room('messages')}/g.ts`,
    'export const t = setInterval(() => {}, 1);',
  ],
  'a sleep comes from the machine': [
    `${room('messages')}/h.ts`,
    "import { setTimeout as s } from 'node:timers/promises';",
  ],
  'the environment is read': [`${room('messages')}/i.ts`, 'export const home = process.env.HOME;'],
  'the network library leaves its room': [
    `${room('sessions')}/a.ts`,
    "import { makeWASocket } from 'baileys';",
  ],
  'its Signal library leaves its room': [
    `${room('sessions')}/b.ts`,
    "import { curve } from 'libsignal/src/curve.js';",
  ],
  'queries are built outside a store': [`${room('sessions')}/c.ts`, "import { sql } from 'kysely';"],
  'a query is asked outside a store': [
    `${room('sessions')}/f.ts`,
    "export const all = (db: { selectFrom(table: string): object }) => db.selectFrom('sessions');",
  ],
  'a database is opened outside the store': [
    `${room('sessions')}/d.ts`,
    "import { DatabaseSync } from 'node:sqlite';",
  ],
  'HTTP goes out past the guard': [`${room('messages')}/j.ts`, "import { request } from 'undici';"],
  'HTTP goes out by fetch': [`${room('messages')}/k.ts`, "export const page = fetch('https://example.com');"],
  'HTTPS goes out past the guard': [`${room('messages')}/l.ts`, "import { get } from 'node:https';"],
  'the bus library leaves its room': [
    `${room('sessions')}/e.ts`,
    "import { connect } from '@nats-io/transport-node';",
  ],
  'something is printed': [`${room('messages')}/m.ts`, "console.log('hello');"],
  'the checker is silenced by any': [`${room('messages')}/n.ts`, 'export const x: any = 1;'],
  'the checker is silenced by !': [`${room('messages')}/o.ts`, 'export const x = [1].at(0)!;'],
};

/** Allowed imports by file. */
const CLEAN: Record<string, readonly [path: string, code: string]> = {
  'a neighbour is imported': [`${room('accounts')}/clean-a.ts`, "import { record } from './audit.ts';"],
  'a room below is imported by name': [`${room('accounts')}/clean-b.ts`, "import { fault } from '#kernel';"],
  'a room inside a door climbs within itself': [
    `${room('platform/http')}/bodies/clean.ts`,
    "import { serve } from '../serve.ts';",
  ],
  'the clock uses the machine’s time': [`${room('kernel')}/time/clock.ts`, 'export const now = Date.now();'],
  'chance uses the machine’s': [`${room('kernel')}/random.ts`, 'export const luck = Math.random();'],
  'the configuration reads the environment': [
    'packages/gateway/src/config/config.ts',
    'export const e = process.env.HOME;',
  ],
  'a feature’s store builds queries': [
    `${room('accounts')}/account-queries.ts`,
    "import { sql } from 'kysely';",
  ],
  'a feature’s store asks them': [
    `${room('accounts')}/devices/device-queries.ts`,
    "export const all = (db: { selectFrom(table: string): object }) => db.selectFrom('devices');",
  ],
  'the driver uses its library': [
    `${room('network')}/whatsapp/clean.ts`,
    "import { makeWASocket } from 'baileys';",
  ],
  'egress goes out': [`${room('platform/egress')}/clean.ts`, "import { request } from 'undici';"],
  'a known moment is made into a date': [`${room('messages')}/clean.ts`, 'export const d = new Date(0);'],
};

/** Runs the linter on one file per room with one import per line. */
const roomFile = (name: string): string => `${room(name)}/knows.ts`;
const imports = [...names, ...ABOVE_THE_ROOMS, ...modules];

describe('the fences', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-fences-'));
  const complaints = new Map<string, number[]>();

  beforeAll(() => {
    for (const path of ['biome.json', '.gitignore', 'tools/lint'])
      cpSync(join(root, path), join(folder, path), { recursive: true });
    for (const [path, code] of [...Object.values(VIOLATIONS), ...Object.values(CLEAN)]) write(path, code);
    for (const name of names) write(roomFile(name), imports.map((door) => `import '#${door}';`).join('\n'));
    lint();
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  function write(path: string, code: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${code}\n`);
  }

  /** One run for all files; maps each file to its lines with errors. */
  function lint(): void {
    const biome = join(root, 'node_modules/.bin/biome');
    const args = [
      'lint',
      '--reporter=rdjson',
      '--max-diagnostics=none',
      '--diagnostic-level=error',
      'packages',
    ];
    const { stdout, stderr } = spawnSync(biome, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
    const { diagnostics } = JSON.parse(stdout || `{"diagnostics": "${stderr}"}`);
    for (const { location } of diagnostics) {
      const path = relative(folder, join(folder, location.path));
      complaints.set(path, [...(complaints.get(path) ?? []), location.range.start.line]);
    }
  }

  it.each(Object.entries(VIOLATIONS))('refuse: %s', (_what, [path]) => {
    expect(complaints.get(path)).toEqual([1]);
  });

  it.each(Object.entries(CLEAN))('allow: %s', (_what, [path]) => {
    expect(complaints.get(path)).toBeUndefined();
  });

  it.each(names)('let %s import exactly what the table allows', (name) => {
    const refused = complaints.get(roomFile(name)) ?? [];
    const open = imports.filter((_door, index) => !refused.includes(index + 1)).map((door) => `#${door}`);
    expect(open.toSorted()).toEqual((rooms[name]?.knows ?? []).flatMap(importsOf).toSorted());
  });
});

describe('the table of rooms', () => {
  it('lists exactly the existing doors', () => {
    expect([...Object.keys(doors), 'testing'].toSorted()).toEqual(folders.toSorted());
  });

  it('lists exactly the rooms of doors with several', () => {
    for (const door of folders.filter((name) => !(name in rooms) && !ABOVE_THE_ROOMS.includes(name))) {
      const inside = readdirSync(join(root, room(door))).map((name) => `${door}/${name}`);
      expect(inside.toSorted()).toEqual(names.filter((name) => doorOf(name) === door).toSorted());
    }
  });

  it('is in order from the bottom up: a room imports only earlier ones', () => {
    for (const [index, name] of names.entries())
      expect(names.slice(0, index), name).toEqual(expect.arrayContaining([...(rooms[name]?.knows ?? [])]));
  });

  it('has no cycle of doors, at most 20 of them, on at most 13 floors', () => {
    expect(Object.keys(doors).length).toBeLessThanOrEqual(20);
    const floors = new Map<string, number>();
    for (const door of Object.keys(doors)) {
      const inside = names.filter((name) => doorOf(name) === door);
      const below = inside.flatMap((name) => rooms[name]?.knows ?? []).map(doorOf);
      const known = [...new Set(below)].filter((name) => name !== door);
      for (const name of known)
        if (door !== 'app') expect(floors.has(name), `${door} knows ${name}`).toBe(true);
      const above = door === 'app' || door === 'cli' ? [...floors.keys()] : known;
      floors.set(door, 1 + Math.max(0, ...above.map((name) => floors.get(name) ?? 0)));
    }
    expect(Math.max(...floors.values())).toBeLessThanOrEqual(13);
  });

  it('lets the lowest rooms import the kernel only', () => {
    for (const name of ['store', 'bus', 'egress', 'http'])
      expect(rooms[`platform/${name}`]?.knows, name).toEqual(['kernel']);
  });

  it('lists exactly the modules of package.json', () => {
    for (const module of modules) expect(existsSync(join(root, room(`${module}.ts`))), module).toBe(true);
    const manifest = JSON.parse(readFileSync(join(root, 'packages/gateway/package.json'), 'utf8'));
    const kinds = Object.keys(manifest.imports).flatMap((name) => /^#\*\/(.+)$/.exec(name)?.[1] ?? []);
    expect(kinds.toSorted()).toEqual(
      [...new Set(modules.map((name) => name.replace(/.*\//, '')))].toSorted(),
    );
  });
});
