import { describe, expect, it } from 'vitest';
import { StoreError } from './errors.ts';
import { createGroupCommit, type Group } from './group-commit.ts';
import type { Command } from './types.ts';

/** Only its name and identity matter here: the test plays the commit. */
function command(name: string): Command<number, number> {
  return { name, sqlite: () => (items) => items, postgres: async (_client, items) => items };
}

const double = command('double');
const negate = command('negate');

/** A database whose commits end when and how the test says. */
function createFakeDatabase() {
  const commits: { groups: readonly Group[]; succeed(): void; fail(error: Error): void }[] = [];
  return {
    commits,
    commit(groups: readonly Group[]): Promise<unknown[][]> {
      const { promise, resolve, reject } = Promise.withResolvers<unknown[][]>();
      const outputs = groups.map(({ items }) => items.map((item) => Number(item) * 2));
      commits.push({ groups, succeed: () => resolve(outputs), fail: reject });
      return promise;
    },
    sizes: () => commits.map(({ groups }) => groups.map(({ items }) => items.length)),
  };
}

/** Batches start at the end of a turn of the event loop; one more turn brings their answers. */
async function settle(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

describe('group commit', () => {
  const sizes = { capacity: 10, largestBatch: 5 };

  it('collects items while a commit is in progress, and writes them next', async () => {
    const database = createFakeDatabase();
    const { run } = createGroupCommit({ commit: database.commit, lanes: 1, ...sizes });
    const first = run(double, 1);
    await settle();
    const later = [run(double, 2), run(negate, 3), run(double, 4)];
    await settle();
    expect(database.sizes()).toEqual([[1]]);

    database.commits[0]?.succeed();
    await settle();
    expect(await first).toBe(2);
    expect(database.sizes()).toEqual([[1], [2, 1]]);
    expect(database.commits[1]?.groups.map(({ items }) => items)).toEqual([[2, 4], [3]]);

    database.commits[1]?.succeed();
    expect(await Promise.all(later)).toEqual([4, 6, 8]);
  });

  it('writes all items of one turn of the event loop together', async () => {
    const database = createFakeDatabase();
    const { run } = createGroupCommit({ commit: database.commit, lanes: 2, ...sizes });
    void run(double, 1);
    for (let microtask = 0; microtask < 20; microtask++) await Promise.resolve();
    void run(double, 2);
    await settle();
    expect(database.sizes()).toEqual([[2]]);
  });

  it('starts a batch before the end of the turn when many items wait', async () => {
    const database = createFakeDatabase();
    const { run } = createGroupCommit({ commit: database.commit, lanes: 2, worthLeavingAtOnce: 3, ...sizes });
    for (const each of [1, 2, 3, 4]) void run(double, each);
    expect(database.sizes()).toEqual([[3]]);
    await settle();
    expect(database.sizes()).toEqual([[3], [1]]);
  });

  it('answers no caller before the commit', async () => {
    const database = createFakeDatabase();
    const { run } = createGroupCommit({ commit: database.commit, lanes: 1, ...sizes });
    let answered = false;
    const answer = run(double, 1).then(() => {
      answered = true;
    });
    await settle();
    expect(answered).toBe(false);
    database.commits[0]?.succeed();
    await answer;
  });

  it('keeps as many batches in progress as it has lanes', async () => {
    const database = createFakeDatabase();
    const { run } = createGroupCommit({ commit: database.commit, lanes: 2, ...sizes });
    for (const item of [1, 2, 3]) {
      void run(double, item);
      await settle();
    }
    expect(database.sizes()).toEqual([[1], [1]]);
  });

  it('starts a further batch beside one in progress only when it is large enough', async () => {
    const database = createFakeDatabase();
    const { run } = createGroupCommit({
      commit: database.commit,
      lanes: 2,
      worthAnotherLane: 3,
      ...sizes,
    });
    for (const item of [1, 2, 3]) {
      void run(double, item);
      await settle();
    }
    expect(database.sizes()).toEqual([[1]]);
    void run(double, 4);
    await settle();
    expect(database.sizes()).toEqual([[1], [3]]);
    void run(double, 5);
    database.commits[1]?.succeed();
    await settle();
    expect(database.sizes()).toEqual([[1], [3]]);
    database.commits[0]?.succeed();
    await settle();
    expect(database.sizes()).toEqual([[1], [3], [1]]);
  });

  it('keeps items with the same lock out of concurrent batches, and in order', async () => {
    const database = createFakeDatabase();
    const lastDigit: Command<number, number> = { ...double, locks: (item) => String(item % 10) };
    const { run } = createGroupCommit({ commit: database.commit, lanes: 2, keepApart: true, ...sizes });
    const items = (): unknown[] =>
      database.commits.map(({ groups }) => groups.flatMap((group) => group.items));
    for (const item of [1, 11, 21, 2, 12]) {
      void run(lastDigit, item);
      await settle();
    }
    expect(items()).toEqual([[1], [2]]);
    database.commits[1]?.succeed();
    await settle();
    expect(items()).toEqual([[1], [2], [12]]);
    database.commits[0]?.succeed();
    await settle();
    expect(items()).toEqual([[1], [2], [12], [11, 21]]);
  });

  it('splits what is too much for one batch', async () => {
    const database = createFakeDatabase();
    const { run } = createGroupCommit({ commit: database.commit, lanes: 1, ...sizes });
    const answers = [1, 2, 3, 4, 5, 6, 7].map((item) => run(double, item));
    await settle();
    database.commits[0]?.succeed();
    await settle();
    database.commits[1]?.succeed();
    await Promise.all(answers);
    expect(database.sizes()).toEqual([[5], [2]]);
  });

  it('refuses items over its capacity, and accepts them again below it', async () => {
    const database = createFakeDatabase();
    const { run } = createGroupCommit({ commit: database.commit, lanes: 1, capacity: 2, largestBatch: 5 });
    const first = run(double, 1);
    await settle();
    const waiting = [run(double, 2), run(double, 3)];
    await expect(run(double, 4)).rejects.toMatchObject({ code: 'queue_full' });
    database.commits[0]?.succeed();
    await first;
    await settle();
    const later = run(double, 5);
    database.commits[1]?.succeed();
    expect(await Promise.all(waiting)).toEqual([4, 6]);
    await settle();
    database.commits[2]?.succeed();
    expect(await later).toBe(10);
  });

  it('reports an unknown outcome of a commit to every caller, and does not write again', async () => {
    const database = createFakeDatabase();
    const { run } = createGroupCommit({ commit: database.commit, lanes: 1, ...sizes });
    const answers = Promise.allSettled([run(double, 1), run(double, 2)]);
    await settle();
    database.commits[0]?.fail(new StoreError('commit_unknown', 'lost'));
    for (const answer of await answers) expect(answer).toMatchObject({ reason: { code: 'commit_unknown' } });
    expect(database.commits).toHaveLength(1);
  });

  it('stops writing one by one when the database itself fails, and never undoes what it wrote before', async () => {
    const database = createFakeDatabase();
    const { run } = createGroupCommit({ commit: database.commit, lanes: 1, ...sizes });
    const answers = Promise.allSettled([run(double, 1), run(double, 2), run(double, 3)]);
    await settle();
    database.commits[0]?.fail(new StoreError('unique_violation', 'one of them'));
    await settle();
    database.commits[1]?.succeed();
    await settle();
    database.commits[2]?.fail(new StoreError('unavailable', 'disk full'));
    expect(await answers).toMatchObject([
      { value: 2 },
      { reason: { code: 'unavailable' } },
      { reason: { code: 'unavailable' } },
    ]);
    expect(database.commits).toHaveLength(3);
  });

  it('refuses new items once it drains, and drains when the last batch is answered', async () => {
    const database = createFakeDatabase();
    const { run, drain } = createGroupCommit({ commit: database.commit, lanes: 1, ...sizes });
    const answer = run(double, 1);
    let drained = false;
    const draining = drain().then(() => {
      drained = true;
    });
    await expect(run(double, 2)).rejects.toMatchObject({ code: 'closed' });
    await settle();
    expect(drained).toBe(false);
    database.commits[0]?.succeed();
    await Promise.all([answer, draining]);
  });
});
