import { describe, expect, test, vi } from 'vitest';
import { type Store, StoreError } from '#store';
import type { WireHarness } from '../testing/fixture.ts';
import { adaWrites, link, messageIds, type Opened, online, open, useWire, WAIT } from '../testing/people.ts';

const setUp = useWire();

/** From now on, once: the next commit with an arrival is made, and its answer goes through `answer`. */
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

/** Waits while the pauses between attempts pass by in no time. */
async function isTold(stage: WireHarness, me: Opened, id: string): Promise<void> {
  await vi.waitFor(async () => {
    await stage.advance(500);
    expect(messageIds(me)).toContain(id);
  }, WAIT);
}

/** What comes with a new link is over when the first message is told, so that the next commit is that of the next message. */
async function settled(stage: WireHarness): Promise<Opened> {
  const me = await online(stage);
  adaWrites(stage, 'FIRST');
  await isTold(stage, me, 'FIRST');
  return me;
}

describe('a message on disk that nobody was told of', () => {
  test('because the answer to its commit was lost, is told when the connection is back', async () => {
    const stage = await setUp();
    const me = await settled(stage);
    meddle(stage.store, async (commit) => {
      await commit();
      throw new StoreError('commit_unknown', 'the answer was lost');
    });
    adaWrites(stage, 'QUIET');
    await isTold(stage, me, 'QUIET');
    adaWrites(stage, 'NEXT');
    await isTold(stage, me, 'NEXT');
    expect(messageIds(me)).toEqual(['FIRST', 'QUIET', 'NEXT']);
  });

  test('because its commit was repeated and found itself there, is told at once', async () => {
    const stage = await setUp();
    const me = await settled(stage);
    meddle(stage.store, async (commit) => {
      await commit();
      return commit();
    });
    adaWrites(stage, 'TWICE');
    await isTold(stage, me, 'TWICE');
    expect(messageIds(me)).toEqual(['FIRST', 'TWICE']);
    expect(me.states.filter(({ kind }) => kind === 'connected')).toHaveLength(1);
  });
});

/** From now on until `mend`, no transaction begins. */
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
    const stage = await setUp();
    await link(stage);
    const line = cutOff(stage.store);
    const me = open(stage, 1);
    await vi.waitFor(async () => {
      await stage.advance(500);
      expect(line.refused()).toBeGreaterThan(2);
    }, WAIT);
    line.mend();
    adaWrites(stage, 'WAITED');
    await isTold(stage, me, 'WAITED');
  });

  test('can be let go of meanwhile', async () => {
    const stage = await setUp();
    await link(stage);
    const line = cutOff(stage.store);
    const me = open(stage, 1);
    await me.session.close();
    line.mend();
    await stage.advance(90_000);
    expect(me.session.state.kind).toBe('connecting');
  });
});
