import { createHash } from 'node:crypto';
import { createWorld, type WorldOptions } from './create.ts';
import type { MailboxItem, News, NewsKind } from './devices/items.ts';
import type { CloseReason } from './devices/types.ts';
import { type Actor, type Clock, type LinkedDevice, type PhoneNumber, WorldError } from './types.ts';
import type { World } from './world.ts';

/** For tests only: a small world with a stepped clock and repeatable random values. */
export interface TestWorld extends World {
  clock: SteppedClock;
}

export interface SteppedClock extends Clock {
  advance(ms: number): void;
}

export const ada: PhoneNumber = '15550002001';
export const ben: PhoneNumber = '15550002002';
export const cleo: PhoneNumber = '15550002003';
export const unregistered: PhoneNumber = '15559999999';

export const handset = (phone: PhoneNumber): Actor => ({ phone, device: 0 });

export const text = (words: string) => ({ type: 'text', text: words }) as const;

export function createSteppedClock(start = Date.UTC(2026, 0, 1)): SteppedClock {
  let now = start;
  let pending: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const entry = { at: now + ms, run };
      pending.push(entry);
      return {
        cancel() {
          pending = pending.filter((other) => other !== entry);
        },
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = pending.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        pending = pending.filter((other) => other !== due);
        now = due.at;
        due.run();
      }
      now = end;
    },
  };
}

function createRepeatableRandom() {
  let counter = 0;
  return {
    bytes(count: number): Uint8Array {
      const chunks: Buffer[] = [];
      for (let have = 0; have < count; have += 32) {
        counter += 1;
        chunks.push(createHash('sha256').update(String(counter)).digest());
      }
      return Buffer.concat(chunks).subarray(0, count);
    },
  };
}

/**
 * Ada, Ben and Cleo, who are not in each other's address books. By default they are addressed by number and have exchanged this
 * week's tokens, so that token news does not come between the messages of a test.
 */
export function createTestWorld({
  file = ':memory:',
  clock = createSteppedClock(),
  tokensExchanged = true,
  ...rules
}: Partial<WorldOptions> & { clock?: SteppedClock; tokensExchanged?: boolean } = {}): TestWorld {
  const world = createWorld({
    random: createRepeatableRandom(),
    addressing: 'pn',
    strictAddressing: false,
    ...rules,
    file,
    clock,
  });
  if (world.phones.list().length === 0) {
    world.phones.create(ada, { name: 'Ada' });
    world.phones.create(ben, { name: 'Ben' });
    world.phones.create(cleo, { name: 'Cleo' });
    if (tokensExchanged) exchangeTokens(world, [ada, ben, cleo]);
  }
  return { ...world, clock };
}

function exchangeTokens(world: World, phones: readonly PhoneNumber[]): void {
  for (const giver of phones) {
    for (const holder of phones) if (giver !== holder) world.tokens.issue(handset(giver), holder);
  }
}

/** Listeners get news in microtasks and may act on it; a few turns let all of that happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await null;
}

export interface Listening {
  device: LinkedDevice;
  items: MailboxItem[];
  closed: CloseReason[];
  detach(): void;
  /** The received news of one kind. */
  news<Kind extends NewsKind>(kind: Kind): Extract<News, { kind: Kind }>[];
}

/** Attaches to a device and records what it receives; acknowledges by default. */
export function listen(world: World, device: LinkedDevice, { acknowledging = true } = {}): Listening {
  const items: MailboxItem[] = [];
  const closed: CloseReason[] = [];
  const attachment = world.mailboxes.attach(device.sessionId, {
    item(item) {
      items.push(item);
      if (acknowledging) world.mailboxes.acknowledge(device.sessionId, item.id);
    },
    closed: (reason) => closed.push(reason),
  });
  attachment.start();
  return {
    device,
    items,
    closed,
    detach: attachment.detach,
    news: <Kind extends NewsKind>(kind: Kind) =>
      items
        .map((item) => item.news)
        .filter((news): news is Extract<News, { kind: Kind }> => news.kind === kind),
  };
}

/** A linked device of that phone with a listener. */
export function linked(world: World, phone: PhoneNumber): Listening {
  return listen(world, world.devices.link(phone, new Uint8Array([1])));
}

/** The error code with which the world refuses; fails the test when it does not. */
export function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof WorldError) return error.code;
    throw error;
  }
  throw new Error('the world allowed it');
}
