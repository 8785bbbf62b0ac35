import { describe, expect, test, vi } from 'vitest';
import { type Store, StoreError } from '#platform/store';
import type { WireHarness } from '../testing/fixture.ts';
import { adaWrites, link, messageIds, type Opened, online, open, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

/** Changes the next commit with an arrival, once: it is made, and its answer goes through `answer`. */
function meddle(store: Store, answer: (commit: () => Promise<unknown>) => Promise<unknown>): void {
  const run = store.run.bind(store);
  let done = false;
  const meddling: Store['run'] = (command, item) => {
    const arrivals = (item as { arrivals?: readonly unknown[] }).arrivals ?? [];
    if (done || arrivals.length === 0) return run(command, item);
    done = true;
    return answer(() => run(command, item)) as ReturnType<typeof run<typeof item, never>>;
  };
  Object.assign(store, { run: meddling });
}

/** Waits for a message event while the pauses between attempts are skipped. */
async function expectReported(harness: WireHarness, me: Opened, id: string): Promise<void> {
  await vi.waitFor(async () => {
    await harness.advance(500);
    expect(messageIds(me)).toContain(id);
  }, WAIT);
}

/**
 * Waits until the first message is delivered, after the arrivals of a new link, so that the next commit is that
 * of the next message.
 */
async function settled(harness: WireHarness): Promise<Opened> {
  const me = await online(harness);
  adaWrites(harness, 'FIRST');
  await expectReported(harness, me, 'FIRST');
  return me;
}

describe('a journalled message that was not announced', () => {
  test('because the answer to its commit was lost, is delivered when the connection is back', async () => {
    const harness = await setUp();
    const me = await settled(harness);
    meddle(harness.store, async (commit) => {
      await commit();
      throw new StoreError('commit_unknown', 'the answer was lost');
    });
    adaWrites(harness, 'QUIET');
    await expectReported(harness, me, 'QUIET');
    adaWrites(harness, 'NEXT');
    await expectReported(harness, me, 'NEXT');
    expect(messageIds(me)).toEqual(['FIRST', 'QUIET', 'NEXT']);
  });

  test('because its repeated commit found it in the journal, is delivered at once', async () => {
    const harness = await setUp();
    const me = await settled(harness);
    meddle(harness.store, async (commit) => {
      await commit();
      return commit();
    });
    adaWrites(harness, 'TWICE');
    await expectReported(harness, me, 'TWICE');
    expect(messageIds(me)).toEqual(['FIRST', 'TWICE']);
    expect(me.states.filter(({ kind }) => kind === 'connected')).toHaveLength(1);
  });
});

/** Lets no transaction begin until `mend`. */
function cutOff(store: Store): { refused(): number; mend(): void } {
  const { transaction } = store;
  let refused = 0;
  const refuse = async (): Promise<never> => {
    refused += 1;
    throw new StoreError('unreachable', 'the database is out of reach');
  };
  Object.assign(store, { transaction: refuse });
  return { refused: () => refused, mend: () => void Object.assign(store, { transaction }) };
}

describe('a link that is opened while the database is out of reach', () => {
  test('connects once it is back', async () => {
    const harness = await setUp();
    await link(harness);
    const outage = cutOff(harness.store);
    const me = open(harness, 1);
    await vi.waitFor(async () => {
      await harness.advance(500);
      expect(outage.refused()).toBeGreaterThan(2);
    }, WAIT);
    outage.mend();
    adaWrites(harness, 'WAITED');
    await expectReported(harness, me, 'WAITED');
  });

  test('can be closed meanwhile', async () => {
    const harness = await setUp();
    await link(harness);
    const outage = cutOff(harness.store);
    const me = open(harness, 1);
    await me.session.close();
    outage.mend();
    await harness.advance(90_000);
    expect(me.session.state.kind).toBe('connecting');
  });
});
