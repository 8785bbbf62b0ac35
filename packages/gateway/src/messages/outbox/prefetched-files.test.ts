import { readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventsOf, outboxOf } from '../testing/rows.ts';
import { ada, ben, type Sender, useStage } from '../testing/stage.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1');
const cleo = '15550002003';

describe('a file that is still being fetched', () => {
  const stage = useStage();
  /** Requests that wait for their file, by the name of it. */
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
    stage.world.phones.create(cleo, { name: 'Cleo' });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const image = (me: Sender, name: string, to: string) =>
    me.send({ to, media_type: 'image', media_url: `${url}${name}`, caption: name });
  const untilAsked = (name: string) => vi.waitFor(() => expect(asked.keys()).toContain(name));
  const shownOn = (phone: string) =>
    stage.world.messages
      .seenBy(phone)
      .map(({ content }) =>
        content.type === 'text' ? content.text : 'caption' in content && content.caption,
      );

  it('holds back what follows it in its chat, and no other chat', async () => {
    stage.start();
    const me = await stage.newSender();
    const first = await image(me, 'hangs', ada);
    const last = await me.text('behind it', ada);
    const others = [
      await me.text('elsewhere', ben),
      await image(me, 'at-once', ben),
      await me.text('after', ben),
    ];
    await untilAsked('hangs');
    for (const other of others) await stage.untilStatus(other, 'sent');
    expect(shownOn(ben)).toEqual(['elsewhere', 'at-once', 'after']);
    expect(shownOn(ada)).toEqual([]);

    asked.get('hangs')?.end(PNG);
    await stage.untilStatus(last, 'sent');
    expect(shownOn(ada)).toEqual(['hangs', 'behind it']);
    const told = (await eventsOf(stage.store, me.number)).map(({ message_id }) => message_id);
    expect(told).toEqual([...others, first, last]);
    expect(readdirSync(stage.folder)).toEqual([]);
  });

  it('lets its chat go on when it cannot be had', async () => {
    stage.start();
    const me = await stage.newSender();
    const [lost, next] = [await image(me, 'hangs', ada), await me.text('behind it', ada)];
    await untilAsked('hangs');
    asked.get('hangs')?.writeHead(404).end();
    await stage.untilStatus(next, 'sent');
    await stage.untilStatus(lost, 'failed');
    expect(shownOn(ada)).toEqual(['behind it']);
  });

  it('is one of two at most of a number: the third waits, what needs no file goes on', async () => {
    stage.start();
    const me = await stage.newSender();
    await image(me, 'hangs', ada);
    await image(me, 'hangs-too', ben);
    const third = await image(me, 'at-once', cleo);
    const behind = await me.text('behind it', cleo);
    await untilAsked('hangs-too');
    const words = await me.send({ type: 'status', status_type: 'text', text: 'no file at all' });
    await stage.untilStatus(words, 'sent');
    expect(await outboxOf(stage.store, me.number)).toHaveLength(4);
    expect(shownOn(cleo)).toEqual([]);

    asked.get('hangs-too')?.end(PNG);
    await stage.untilStatus(third, 'sent');
    await stage.untilStatus(behind, 'sent');
    expect(shownOn(cleo)).toEqual(['at-once', 'behind it']);
  });

  it('is not kept while the number is not connected, and fetched again when it is', async () => {
    stage.start();
    const me = await stage.newSender();
    const id = await image(me, 'hangs', ada);
    await untilAsked('hangs');
    stage.world.faults.arm(me.device.sessionId, { kind: 'disconnect', count: 1, ms: 60_000 });
    await vi.waitFor(() => expect(asked.get('hangs')?.closed).toBe(true));
    await vi.waitFor(() => expect(readdirSync(stage.folder)).toEqual([]));
    asked.clear();
    await vi.waitFor(
      () => {
        stage.clock.advance(2_000);
        expect(asked.keys()).toContain('hangs');
      },
      { timeout: 10_000 },
    );
    asked.get('hangs')?.end(PNG);
    await stage.untilStatus(id, 'sent');
    expect(await eventsOf(stage.store, me.number)).toMatchObject([{ status: 'sent' }]);
  });

  it('does not let what was accepted later overtake in its chat after another attempt', async () => {
    stage.start();
    const me = await stage.newSender();
    const first = await image(me, 'hangs', ada);
    await untilAsked('hangs');
    stage.world.faults.arm(me.device.sessionId, { kind: 'send_transient', count: 1, ms: 0 });
    asked.get('hangs')?.end(PNG);
    await vi.waitFor(async () =>
      expect(await outboxOf(stage.store, me.number)).toMatchObject([{ attempts: 1 }]),
    );
    asked.clear();
    const last = await me.text('behind it', ada);
    stage.clock.advance(2_000);
    await untilAsked('hangs');
    asked.get('hangs')?.end(PNG);
    await stage.untilStatus(last, 'sent');
    await stage.untilStatus(first, 'sent');
    expect(shownOn(ada)).toEqual(['hangs', 'behind it']);
  });
});
