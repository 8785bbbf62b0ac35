import { readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ada, ben, type Sender, useTestHarness } from '../testing/harness.ts';
import { eventsOf, outboxOf } from '../testing/rows.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1');
const cleo = '15550002003';

describe('a file that is still being fetched', () => {
  const harness = useTestHarness();
  /** Requests that wait for their file, by its name. */
  const asked = new Map<string, ServerResponse>();
  let server: ReturnType<typeof createServer>;
  let url = '';

  beforeEach(async () => {
    asked.clear();
    server = createServer((request, response) => {
      const name = request.url?.slice(1) ?? '';
      if (name === 'at-once') response.end(PNG);
      else asked.set(name, response);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    harness.world.phones.create(cleo, { name: 'Cleo' });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const image = (me: Sender, name: string, to: string) =>
    me.send({ to, media_type: 'image', media_url: `${url}${name}`, caption: name });
  const untilAsked = (name: string) => vi.waitFor(() => expect(asked.keys()).toContain(name));
  const shownOn = (phone: string) =>
    harness.world.messages
      .seenBy(phone)
      .map(({ content }) =>
        content.type === 'text' ? content.text : 'caption' in content && content.caption,
      );

  it('holds back later messages of its chat, and no other chat', async () => {
    harness.start();
    const me = await harness.newSender();
    const first = await image(me, 'hangs', ada);
    const last = await me.text('behind it', ada);
    const others = [
      await me.text('elsewhere', ben),
      await image(me, 'at-once', ben),
      await me.text('after', ben),
    ];
    await untilAsked('hangs');
    for (const other of others) await harness.untilStatus(other, 'sent');
    expect(shownOn(ben)).toEqual(['elsewhere', 'at-once', 'after']);
    expect(shownOn(ada)).toEqual([]);

    asked.get('hangs')?.end(PNG);
    await harness.untilStatus(last, 'sent');
    expect(shownOn(ada)).toEqual(['hangs', 'behind it']);
    const published = (await eventsOf(harness.store, me.number)).map(({ message_id }) => message_id);
    expect(published).toEqual([...others, first, last]);
    expect(readdirSync(harness.folder)).toEqual([]);
  });

  it('holds back messages to the same person under the other address', async () => {
    harness.start();
    const me = await harness.newSender();
    const lid = `${harness.world.phones.get(ada).lid}@lid`;
    await image(me, 'hangs', ada);
    const last = await me.text('behind it', lid);
    await untilAsked('hangs');
    await harness.untilStatus(await me.text('elsewhere', ben), 'sent');
    expect(shownOn(ada)).toEqual([]);
    asked.get('hangs')?.end(PNG);
    await harness.untilStatus(last, 'sent');
    expect(shownOn(ada)).toEqual(['hangs', 'behind it']);
  });

  it('lets its chat go on when it cannot be fetched', async () => {
    harness.start();
    const me = await harness.newSender();
    const [lost, next] = [await image(me, 'hangs', ada), await me.text('behind it', ada)];
    await untilAsked('hangs');
    asked.get('hangs')?.writeHead(404).end();
    await harness.untilStatus(next, 'sent');
    await harness.untilStatus(lost, 'failed');
    expect(shownOn(ada)).toEqual(['behind it']);
  });

  it('is one of at most two of a number: the third waits, messages without a file go on', async () => {
    harness.start();
    const me = await harness.newSender();
    await image(me, 'hangs', ada);
    await image(me, 'hangs-too', ben);
    const third = await image(me, 'at-once', cleo);
    const behind = await me.text('behind it', cleo);
    await untilAsked('hangs-too');
    const words = await me.send({ type: 'status', status_type: 'text', text: 'no file at all' });
    await harness.untilStatus(words, 'sent');
    expect(await outboxOf(harness.store, me.number)).toHaveLength(4);
    expect(shownOn(cleo)).toEqual([]);

    asked.get('hangs-too')?.end(PNG);
    await harness.untilStatus(third, 'sent');
    await harness.untilStatus(behind, 'sent');
    expect(shownOn(cleo)).toEqual(['at-once', 'behind it']);
  });

  it('is dropped while the number is not connected, and fetched again afterwards', async () => {
    harness.start();
    const me = await harness.newSender();
    const id = await image(me, 'hangs', ada);
    await untilAsked('hangs');
    harness.world.faults.arm(me.device.sessionId, { kind: 'disconnect', count: 1, ms: 60_000 });
    await vi.waitFor(() => expect(asked.get('hangs')?.closed).toBe(true));
    await vi.waitFor(() => expect(readdirSync(harness.folder)).toEqual([]));
    asked.clear();
    await vi.waitFor(
      () => {
        harness.clock.advance(2_000);
        expect(asked.keys()).toContain('hangs');
      },
      { timeout: 10_000 },
    );
    asked.get('hangs')?.end(PNG);
    await harness.untilStatus(id, 'sent');
    expect(await eventsOf(harness.store, me.number)).toMatchObject([{ status: 'sent' }]);
  });

  it('keeps the order of its chat after another attempt', async () => {
    harness.start();
    const me = await harness.newSender();
    const first = await image(me, 'hangs', ada);
    await untilAsked('hangs');
    harness.world.faults.arm(me.device.sessionId, { kind: 'send_transient', count: 1, ms: 0 });
    asked.get('hangs')?.end(PNG);
    await vi.waitFor(async () =>
      expect(await outboxOf(harness.store, me.number)).toMatchObject([{ attempts: 1 }]),
    );
    asked.clear();
    const last = await me.text('behind it', ada);
    await vi.waitFor(() => {
      harness.clock.advance(2_000);
      expect(asked.keys()).toContain('hangs');
    });
    asked.get('hangs')?.end(PNG);
    await harness.untilStatus(last, 'sent');
    await harness.untilStatus(first, 'sent');
    expect(shownOn(ada)).toEqual(['hangs', 'behind it']);
  });
});
