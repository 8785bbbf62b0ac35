import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userJid } from '@parley/sandbox/world';
import { expect, test, vi } from 'vitest';
import type { MediaRef } from '../../content.ts';
import type { WireHarness } from '../testing/fixture.ts';
import { ADA, bubblesOfAda, ME, type Opened, online, useWire, WAIT } from '../testing/people.ts';

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

/** An image that Ada sends, as the number's event has it. */
async function receiveImage({ world }: WireHarness, { events }: Opened, bytes: Buffer): Promise<MediaRef> {
  const media = world.media.put(bytes, 'image/jpeg');
  const id = world.messages.newId();
  world.messages.send({ phone: ADA, device: 0 }, { id, to: ME, content: { type: 'image', media } });
  return vi.waitFor(() => {
    const event = events.find((one) => one.kind === 'message' && one.messageId === id);
    if (event?.kind !== 'message' || event.content.kind !== 'image') throw new Error('no image yet');
    return event.content.media.ref;
  }, WAIT);
}

test('sends and downloads files over the second server while the first one fails', async () => {
  const harness = await setUp();
  const opened = await online(harness);
  const bytes = Buffer.from('a picture');
  const ref = await receiveImage(harness, opened, bytes);
  const { standing } = harness.world;
  standing.setRules({ ...standing.rules(), brokenMediaHosts: 1 });
  expect(Buffer.from(await opened.session.download(ref, { maxBytes: 100 }))).toEqual(bytes);
  const path = join(tmpdir(), `parley-second-server-${process.pid}`);
  await writeFile(path, bytes);
  const file = { path, size: bytes.length, mimetype: 'text/plain' };
  await opened.session.send({
    messageId: '3EB0F2',
    to: userJid(ADA),
    content: { kind: 'document', file, fileName: 'a.txt' },
  });
  await rm(path);
  await vi.waitFor(() => expect(bubblesOfAda(harness, '3EB0F2')).toBe(1), WAIT);
  standing.setRules({ ...standing.rules(), brokenMediaHosts: 2 });
  await expect(opened.session.download(ref, { maxBytes: 100 })).rejects.toMatchObject({ kind: 'transient' });
});

test('asks the phone for a file that has expired, and knows one that the phone has not either', async () => {
  const harness = await setUp();
  const opened = await online(harness);
  const bytes = Buffer.from('an old picture');
  const { sessionId } = harness.world.devices.of(ME)[0] ?? { sessionId: '' };
  const ref = await receiveImage(harness, opened, bytes);
  harness.world.faults.arm(sessionId, { kind: 'media_download', count: 1, ms: 0 });
  expect(Buffer.from(await opened.session.download(ref, { maxBytes: 100 }))).toEqual(bytes);
  harness.world.faults.arm(sessionId, { kind: 'media_gone', count: 1, ms: 0 });
  const other = await receiveImage(harness, opened, bytes);
  await expect(opened.session.download(other, { maxBytes: 100 })).rejects.toMatchObject({
    kind: 'not_found',
  });
});
