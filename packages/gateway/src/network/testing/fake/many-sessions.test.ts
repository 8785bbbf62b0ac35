import { createWorld, userJid } from '@parley/sandbox/world';
import { expect, it, vi } from 'vitest';
import { createSeededRandom, createSteppedClock } from '#kernel';
import type { NetworkEvent } from '../../events.ts';
import { createFakeDriver, type FakeDriver } from './driver.ts';

const COUNT = 2_000;
const phones = Array.from({ length: COUNT }, (_, n) => String(15_550_100_000 + n));

/** Links a number under a `linkId` that equals the number. */
async function link(driver: FakeDriver, phone: string): Promise<void> {
  const qr = await new Promise<string>((resolve) => {
    driver.pair({
      linkId: phone,
      phone,
      method: 'qr',
      onProgress: (step) => step.kind === 'qr' && resolve(step.qr),
    });
  });
  await driver.pairing.scan(phone, qr);
}

it('holds thousands of numbers that message each other without a single timer', async () => {
  const clock = createSteppedClock();
  const random = createSeededRandom(1);
  const world = createWorld({ file: ':memory:', clock, random });
  const driver = createFakeDriver({ world, clock, random });
  for (const phone of phones) {
    world.phones.create(phone, { name: phone });
    await link(driver, phone);
  }
  const timers = vi.spyOn(clock, 'after');

  const events: NetworkEvent[] = [];
  const sessions = phones.map((linkId) =>
    driver.open({
      linkId,
      fence: 1,
      onState: () => {},
      onStanding() {},
      onEvents: async (batch) => {
        events.push(...batch);
      },
    }),
  );
  await vi.waitFor(() => expect(sessions.every(({ state }) => state.kind === 'connected')).toBe(true));
  const neighbour = (n: number): string => userJid(phones[(n + 1) % COUNT] ?? '');
  await Promise.all(
    sessions.map((session, n) =>
      session.send({
        messageId: `3EB0${n}`,
        to: neighbour(n),
        content: { kind: 'text', text: 'Hello, neighbour' },
      }),
    ),
  );

  await vi.waitFor(() => expect(events.filter(({ kind }) => kind === 'message')).toHaveLength(COUNT));
  await vi.waitFor(() => expect(events.filter(({ kind }) => kind === 'receipt')).toHaveLength(COUNT));
  expect(timers).not.toHaveBeenCalled();
  await driver.close();
  world.close();
});
