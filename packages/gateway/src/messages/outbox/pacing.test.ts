import type { Pacing } from '@parley/contract';
import { describe, expect, it, vi } from 'vitest';
import { noteHealth } from '#health';
import { ben, type Sender, useTestHarness } from '../testing/harness.ts';
import { createGaps } from './gaps.ts';
import type { QueuedMessage } from './outbox-queries.ts';

const HOUR = 3_600_000;
const cleo = '15550002003';

describe('a queued message', () => {
  const harness = useTestHarness();

  async function locked({ number, device }: Sender, endsAt: number): Promise<void> {
    const { accountId, slotId } = number;
    const signals = [{ kind: 'reachout_lock', active: true, endsAt }] as const;
    const note = { accountId, slotId, sessionId: device.sessionId, at: harness.clock.now(), fence: null };
    await harness.store.run(noteHealth, { ...note, signals });
  }

  it('waits while it would be refused as a new chat, and lets known chats pass; it leaves when the hold is over, and not before', async () => {
    harness.world.phones.create(cleo, { name: 'Cleo' });
    const me = await harness.newSender();
    const known = await me.text('Hello Ada');
    const outbox = harness.start();
    await harness.untilStatus(known, 'sent');
    await outbox.stop();

    const cold = await me.text('Hello Ben', ben);
    const behind = await me.text('Are you there, Ben?', ben);
    const colder = await me.text('Hello Cleo', cleo);
    const answer = await me.text('Thank you, Ada');
    const endsAt = harness.clock.now() + HOUR;
    await locked(me, endsAt);
    harness.start();
    await harness.untilStatus(answer, 'sent');
    expect(harness.textsOn(ben)).toEqual([]);

    harness.clock.advance(endsAt - harness.clock.now() - 1);
    await harness.untilStatus(await me.text('Still there?'), 'sent');
    expect(harness.textsOn(ben)).toEqual([]);
    await vi.waitFor(async () => {
      harness.clock.advance(5_000);
      for (const id of [cold, behind, colder]) await harness.untilStatus(id, 'sent');
    });
    expect(harness.textsOn(ben)).toEqual(['Hello Ben', 'Are you there, Ben?']);
    expect(harness.textsOn(cleo)).toEqual(['Hello Cleo']);
  });

  it('waits for the configured gap, and for none within its chat', async () => {
    const me = await harness.newSender();
    await locked(me, harness.clock.now());
    const pacing = JSON.stringify({ gap_min_seconds: 4, gap_max_seconds: 4 } satisfies Partial<Pacing>);
    await harness.store.transaction((trx) =>
      trx.updateTable('number_health').set({ pacing }).where('slot_id', '=', me.number.slotId).execute(),
    );
    const [first, second] = [await me.text('one'), await me.text('two')];
    const other = await me.text('one', ben);
    harness.start();
    await harness.untilStatus(first, 'sent');
    await harness.untilStatus(second, 'sent');
    harness.clock.advance(3_999);
    expect(harness.textsOn(ben)).toEqual([]);
    harness.clock.advance(1);
    await harness.untilStatus(other, 'sent');
  });
});

it('gaps have a random length between both bounds, and there is none by default', () => {
  let now = 0;
  const fractions = [0, 0.5, 0.999];
  const gaps = createGaps({ clock: { now: () => now }, random: { fraction: () => fractions.shift() ?? 0 } });
  const message = (to_jid: string, pacing: object | null) =>
    ({ slot_id: 's', to_jid, pacing: pacing && JSON.stringify(pacing) }) as unknown as QueuedMessage;
  const chosen = { gap_min_seconds: 2, gap_max_seconds: 6 };
  const before = (): number => gaps.msBefore(message('b', chosen));
  const lengths = [1, 2, 3].map(() => {
    gaps.sent(message('a', chosen));
    return before();
  });
  expect(lengths).toEqual([2_000, 4_000, 5_996]);
  now += 1_000;
  expect(before()).toBe(4_996);
  gaps.sent(message('a', null));
  expect(before()).toBe(0);
});
