import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userJid } from '@parley/sandbox/world';
import { expect, test, vi } from 'vitest';
import { ADA, bubblesOfAda, online, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

test('sends files on the same connection after a lost answer about media servers', async () => {
  const harness = await setUp();
  const { session } = await online(harness);
  let refused = 0;
  harness.intercept(({ tag, attrs: { xmlns, id = '' } }) => {
    if (tag !== 'iq' || xmlns !== 'w:m') return undefined;
    refused += 1;
    const content = [{ tag: 'error', attrs: { code: '503', text: 'not now' } }];
    return { tag: 'iq', attrs: { id, type: 'error', from: '@s.whatsapp.net' }, content };
  });
  const bytes = Buffer.from('a document');
  const path = join(tmpdir(), `parley-document-${process.pid}`);
  await writeFile(path, bytes);
  const file = { path, size: bytes.length, mimetype: 'text/plain' };
  const message = {
    messageId: '3EB0F1',
    to: userJid(ADA),
    content: { kind: 'document', file, fileName: 'a.txt' },
  } as const;

  // The servers that the history of a new link queried may still be cached.
  await harness.advance(86_400_000);
  await expect(session.send(message)).rejects.toMatchObject({ kind: 'transient' });
  expect(refused).toBeGreaterThan(0);
  harness.intercept(() => undefined);
  await session.send(message);
  await rm(path);
  await vi.waitFor(() => expect(bubblesOfAda(harness, '3EB0F1')).toBe(1), WAIT);
});
