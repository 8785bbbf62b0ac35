import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { UNDERSTOOD } from '../../packages/gateway/src/network/whatsapp/drift/understood.ts';
import { compare, readSpecification } from './compare.ts';

const FIXTURE = path.join(import.meta.dirname, 'fixture');
const ROOT = path.join(import.meta.dirname, '../..');

const differenceOf = (place: string, part: string) =>
  compare(readSpecification(place)).find((each) => each.part === part);

test('names what a specification has beyond the table, part by part', () => {
  const added = compare(readSpecification(FIXTURE)).map(({ part, added: names }) => [part, ...names]);
  expect(Object.fromEntries(added.map(([part = '', ...names]) => [part, names]))).toEqual({
    stanza: ['telegram'],
    notification: ['companion_check', 'picture/glow', 'w:gp2/transfer'],
    ib: ['moon_phase'],
    call: ['hologram'],
    receipt: ['smelled'],
    message: ['call 10', 'imageMessage 33'],
    protocol: ['UNDO_EVERYTHING 99'],
    mex: ['NumberNotification'],
    query: [],
  });
});

test('names what the table has and the specification lacks, such as stored queries with a new id', () => {
  const { gone: queries = [] } = differenceOf(FIXTURE, 'query') ?? {};
  expect(queries).toContain('xwa2_newsletter_create 25149874324715067');
  expect(queries).not.toContain('xwa2_newsletter 27456920720571478');
  const { gone: fields = [] } = differenceOf(FIXTURE, 'message') ?? {};
  expect(fields).toContain('imageMessage 3');
  expect(fields).toHaveLength(Object.keys(UNDERSTOOD.message).length - 1);
});

test('compares only the parts that a single file describes', () => {
  const parts = compare(readSpecification(path.join(FIXTURE, 'packages/proto/Small.proto')));
  expect(parts.map(({ part }) => part)).toEqual(['message', 'protocol']);
});

test('prints the differences', () => {
  const printed = execFileSync(process.execPath, ['tools/drift/run.ts', FIXTURE], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(printed).toContain('ib: 1 new, ');
  expect(printed).toContain('\n  + moon_phase\n');
  expect(printed).toContain('\n  - offline_preview\n');
});
