import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ada, ben, createTestWorld, handset, listen, text } from '../fixture.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-world-'));
  file = join(folder, 'sandbox.db');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a reopened world has its people, screens, mailboxes, faults and vault', () => {
  const before = createTestWorld({ file });
  const { sessionId } = before.devices.link(ben, new Uint8Array([4]));
  before.messages.send(handset(ada), { id: 'M', to: ben, content: text('still there?') });
  before.faults.arm(sessionId, { kind: 'no_ack', count: 1, ms: 0 });
  before.vault.write('keys', 'a', new Uint8Array([1]));
  const { lid } = before.phones.get(ada);
  before.close();

  const after = createTestWorld({ file });
  expect(after.phones.get(ada).lid).toBe(lid);
  expect(after.messages.seenBy(ben)).toMatchObject([{ id: 'M' }]);
  const device = after.devices.get(sessionId);
  if (!device) throw new Error('the device is gone');
  expect(listen(after, device).items).toMatchObject([{ waited: true, news: { kind: 'message' } }]);
  expect(after.faults.takeForSend(sessionId)?.kind).toBe('no_ack');
  expect(after.vault.entries('keys')).toEqual([{ key: 'a', value: new Uint8Array([1]) }]);
  expect(after.messages.send(handset(ada), { id: 'M', to: ben, content: text('again') }).duplicate).toBe(
    true,
  );
  after.close();
});

test('nothing that was answered is lost when the process is killed', async () => {
  const script = `
    import { ada, ben, createTestWorld, handset, text } from ${JSON.stringify(join(import.meta.dirname, '../fixture.ts'))};
    const world = createTestWorld({ file: ${JSON.stringify(file)} });
    for (let n = 1; ; n += 1) {
      world.messages.send(handset(ada), { id: 'M' + n, to: ben, content: text('x') });
      process.stdout.write(n + '\\n');
      await new Promise((resume) => setImmediate(resume));
    }`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let answered = 0;
  for await (const chunk of child.stdout) {
    answered = Number(String(chunk).trim().split('\n').at(-1));
    if (answered > 50) break;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');

  const world = createTestWorld({ file });
  expect(answered).toBeGreaterThan(50);
  expect(world.messages.seenBy(ben).length).toBeGreaterThanOrEqual(answered);
  world.close();
});

test('connections end with the process that held them', () => {
  const before = createTestWorld({ file });
  const device = before.devices.link(ben, new Uint8Array([1]));
  before.messages.send(handset(ada), { id: 'M', to: ben, content: text('hi') });
  listen(before, device);
  before.presence.set(device, { online: true });
  before.presence.subscribe(device, ada);
  before.presence.typing(device, ada, { typing: true, media: 'text' });

  const after = createTestWorld({ file });
  expect(after.phones.get(ben).online).toBe(false);
  expect(after.presence.typingTo(ada)).toEqual([]);
  after.presence.set(handset(ada), { online: true });
  expect(after.mailboxes.waiting(device.sessionId)).toBe(1);
  after.close();
  before.close();
});

test('a file of a later release is refused and left unchanged', () => {
  createTestWorld({ file }).close();
  const raw = new DatabaseSync(file);
  raw.exec('INSERT INTO schema_version (version) VALUES (99)');
  raw.close();
  expect(() => createTestWorld({ file })).toThrow('schema version 99');
});

test('a vault scope deletes by key and as a whole', () => {
  const { vault } = createTestWorld();
  for (const key of ['b', 'a', 'c']) vault.write('s', key, new Uint8Array([1]));
  vault.write('other', 'a', new Uint8Array([2]));
  expect(vault.entries('s', 2).map(({ key }) => key)).toEqual(['a', 'b']);
  vault.erase('s', 'a');
  expect(vault.read('s', 'a')).toBeUndefined();
  vault.eraseScope('s');
  expect(vault.entries('s')).toEqual([]);
  expect(vault.read('other', 'a')).toEqual(new Uint8Array([2]));
});
