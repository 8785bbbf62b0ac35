import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSdk } from '../packaging/libraries.ts';

/** Half of it are source maps. */
const PACKED_AT_MOST = 120 * 1024;
const ROOT = join(import.meta.dirname, '../..');

/** Project with the SDK as its only dependency. */
const project = mkdtempSync(join(tmpdir(), 'parley-sdk-'));
const folder = join(project, 'published');

beforeAll(() => {
  buildSdk(folder);
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(folder, join(project, 'node_modules/parley-sdk'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('packs a small package with needed files only', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8' });
  const [{ size, files }]: [{ size: number; files: { path: string }[] }] = JSON.parse(packed);
  expect(size).toBeLessThan(PACKED_AT_MOST);
  const others = files.map(({ path }) => path).filter((path) => !/\.(?:js|js\.map|d\.ts)$/.test(path));
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  expect(files.map(({ path }) => path).filter((path) => /test|fixture/.test(path))).toEqual([]);
});

test('packs a manifest without development fields', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(
    Object.keys(manifest).filter((name) => ['private', 'scripts', 'dependencies'].includes(name)),
  ).toEqual([]);
  expect(manifest.exports['./operator']).toEqual({ types: './operator.d.ts', default: './operator.js' });
});

test('runs on the oldest supported Node.js', () => {
  const node = nodeOfThisMachine();
  const program = `
    import { createHmac } from 'node:crypto';
    import { createServer } from 'node:http';
    import { createParley, verifyWebhook } from 'parley-sdk';
    import { createOperator } from 'parley-sdk/operator';
    const server = createServer((request, response) => response.writeHead(202).end(JSON.stringify({
      message_id: request.headers['idempotency-key'], status: 'accepted',
    })));
    await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
    const parley = createParley({ url: 'http://127.0.0.1:' + server.address().port, apiKey: 'pk_1_secret' });
    const { message_id } = await parley.messages.send({ session_id: '1@s', to: '2', text: 'hi' });
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', 'whsec').update(t + '.{"kind":"call"}').digest('hex');
    const event = await verifyWebhook('{"kind":"call"}', { 'x-webhook-signature': 't=' + t + ',v1=' + v1 }, 'whsec');
    server.closeAllConnections();
    server.close();
    console.log(JSON.stringify([message_id.length, event.kind, Object.keys(createOperator({ token: 'x' })).length]));
  `;
  writeFileSync(join(project, 'program.js'), program);
  expect(execFileSync(node, ['program.js'], { cwd: project, encoding: 'utf8' })).toBe('[36,"call",16]\n');
});

test.each([
  ['in a browser or at the edge', ['--lib', 'es2022,dom', '--types', '']],
  ['in Node.js', ['--lib', 'es2022', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]],
])('has self-contained types %s', (_where, options) => {
  const program = `
    import { createParley, type EventOf } from 'parley-sdk';
    import { createOperator, type Account } from 'parley-sdk/operator';
    const parley = createParley({ apiKey: 'pk_1_secret' });
    export const sent: Promise<string> = parley.messages.send({ session_id: '1@s', to: '2', text: 'hi' }).then((accepted) => accepted.message_id);
    export const text = (event: EventOf<'message'>): string => event.text;
    export const accounts: Promise<Account[]> = createOperator({ token: 'x' }).accounts.list().then((list) => list.accounts);
    // @ts-expect-error a misspelt method
    parley.messages.sent({});
  `;
  writeFileSync(join(project, 'program.ts'), program);
  const strict = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--exactOptionalPropertyTypes',
  ];
  const { stdout } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), ...strict, ...options, 'program.ts'],
    { cwd: project, encoding: 'utf8' },
  );
  expect(stdout).toBe('');
});

/** Prefers another Node.js than the repository's. */
function nodeOfThisMachine(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
  const version = (node: string) =>
    Number.parseInt(spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout ?? '0', 10);
  return folders.map((each) => join(each, 'node')).find((node) => version(node) >= 20) ?? process.execPath;
}
