import { describe, expect, it } from 'vitest';
import { limits } from '../../transactions.ts';
import type { Harness } from './harness.ts';
import { noteIds } from './notebook.ts';
import { answerTooFew, note, readNote, writeNote, writeOrThrow } from './write-commands.ts';

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

export function describeGroupCommit(harness: Harness): void {
  describe('group commit', () => {
    it('writes all waiting items in one transaction, whatever their commands', async () => {
      const store = await harness.open();
      const before = await harness.countCommits(store);
      await Promise.all([
        ...range(1, 7).map((id) => store.run(writeNote, note(id))),
        ...range(8, 7).map((id) => store.run(writeOrThrow, note(id))),
      ]);
      expect(await noteIds(store)).toHaveLength(14);
      expect((await harness.countCommits(store)) - before).toBe(1);
    });

    it('commits once per item when they come one after the other', async () => {
      const store = await harness.open();
      const before = await harness.countCommits(store);
      for (const id of range(1, 5)) await store.run(writeNote, note(id));
      expect((await harness.countCommits(store)) - before).toBe(5);
    });

    it('passes the items of a command on together, in order of arrival, and answers each with its own result', async () => {
      const store = await harness.open();
      const [results] = await Promise.all([
        Promise.all(range(1, 7).map((id) => store.run(writeNote, note(id)))),
        Promise.all(range(8, 7).map((id) => store.run(writeOrThrow, note(id, { text: `${id}` })))),
      ]);
      expect(results).toEqual(range(1, 7).map((id, place) => ({ id, place, together: 7 })));
    });

    it('shows a later command the writes of the earlier ones', async () => {
      const store = await harness.open();
      const [, found, missing] = await Promise.all([
        store.run(writeNote, note(1, { text: 'here' })),
        store.run(readNote, 1),
        store.run(readNote, 2),
      ]);
      expect(found).toEqual(note(1, { text: 'here' }));
      expect(missing).toBeUndefined();
    });

    it('serves hundreds of concurrent callers with few commits', async () => {
      const store = await harness.open();
      const callers = 300;
      const turns = 2;
      await Promise.all(
        range(0, callers).map(async (caller) => {
          for (const turn of range(0, turns)) {
            const id = caller * turns + turn;
            expect(await store.run(writeNote, note(id))).toMatchObject({ id });
          }
        }),
      );
      expect(await noteIds(store)).toEqual(range(0, callers * turns));
      expect(await harness.countCommits(store)).toBeLessThan(30);
    });

    it('fails only the item that the database refuses', async () => {
      const store = await harness.open();
      await store.run(writeNote, note(5));
      const outcomes = await Promise.allSettled(range(1, 10).map((id) => store.run(writeNote, note(id))));
      expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(range(1, 10).map((id) => id === 5));
      expect(outcomes[4]).toMatchObject({ reason: { name: 'StoreError', code: 'unique_violation' } });
      expect(await noteIds(store)).toEqual(range(1, 10));
    });

    it('fails only the item that its command throws on, without repeating the thrown text', async () => {
      const store = await harness.open();
      const texts = ['one', 'secret: the launch code', 'three'];
      const outcomes = await Promise.allSettled(
        texts.map((text, id) => store.run(writeOrThrow, note(id, { text }))),
      );
      expect(outcomes[0]).toEqual({ status: 'fulfilled', value: 'kept one' });
      expect(outcomes[2]).toEqual({ status: 'fulfilled', value: 'kept three' });
      expect(outcomes[1]).toMatchObject({ reason: { code: 'command_failed' } });
      expect(String(Reflect.get(outcomes[1] ?? {}, 'reason'))).toMatch(/write-or-throw failed: RangeError/);
      expect(String(Reflect.get(outcomes[1] ?? {}, 'reason'))).not.toContain('launch code');
      expect(await noteIds(store)).toEqual([0, 2]);
    });

    it('fails only the item that violates a constraint at COMMIT', async () => {
      const store = await harness.open();
      const outcomes = await Promise.allSettled([
        store.run(writeNote, note(1)),
        store.run(writeNote, note(2, { about: 404 })),
        store.run(writeNote, note(3, { about: 1 })),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(outcomes[1]).toMatchObject({ reason: { code: 'foreign_key_violation' } });
      expect(await noteIds(store)).toEqual([1, 3]);
    });

    it('answers no caller before COMMIT, and fails the only caller when it fails', async () => {
      const store = await harness.open();
      const attempt = store.run(writeNote, note(1, { about: 404 }));
      await expect(attempt).rejects.toMatchObject({ code: 'foreign_key_violation' });
      expect(await noteIds(store)).toEqual([]);
    });

    it('writes nothing when a command does not answer every item', async () => {
      const store = await harness.open();
      await expect(store.run(answerTooFew, note(1))).rejects.toMatchObject({ code: 'command_failed' });
      expect(await noteIds(store)).toEqual([]);
    });

    it('refuses items over its capacity, and answers all others', async () => {
      const store = await harness.open();
      const { capacity } = limits.groupCommit;
      const asked = range(0, capacity + 500);
      const outcomes = await Promise.allSettled(asked.map((id) => store.run(writeNote, note(id))));
      const refused = asked.filter((id) => outcomes[id]?.status === 'rejected');
      // A few have left already while the others arrive.
      expect(refused.length).toBeGreaterThan(200);
      expect(refused.length).toBeLessThanOrEqual(500);
      for (const id of refused) expect(outcomes[id]).toMatchObject({ reason: { code: 'queue_full' } });
      expect(await noteIds(store)).toEqual(asked.filter((id) => outcomes[id]?.status === 'fulfilled'));
    });
  });
}
