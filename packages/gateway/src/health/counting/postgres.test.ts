import { describe, expect, it } from 'vitest';
import { useStore } from '#testing';
import { begin } from '../testing/commands.ts';
import { ADA, BEN, createNumbers, MODULES, NOON, newSlot } from '../testing/numbers.ts';

describe('new chats of a batch (PostgreSQL)', () => {
  const testStore = useStore('PostgreSQL', 'shared by all tests', MODULES);
  const { health, know, people, write } = createNumbers(() => testStore.store);
  const begun = (slot_id: string, quota: number | null, ...persons: readonly string[]) => ({
    row: { slot_id, quota },
    begun: new Map(persons.map((person) => [person, NOON])),
  });
  const written = (person: string, written_at = NOON) => ({
    person,
    written_at,
    reached_at: null,
    answered_at: null,
  });

  it('make people known to their number, and change none who is known', async () => {
    const [one, other] = [newSlot(), newSlot()];
    await know({ slot_id: one, person: ADA, written_at: 1 });
    await testStore.store.run(begin, [begun(one, null, BEN, ADA), begun(other, null, ADA)]);
    expect(await people(one)).toEqual([written(ADA, 1), written(BEN)]);
    expect(await people(other)).toEqual([written(ADA)]);
  });

  it('are charged to the quota of their number, if it has one', async () => {
    const [one, other, idle] = [newSlot(), newSlot(), newSlot()];
    for (const slotId of [one, idle]) await write(slotId, { quota: 10, quota_spent: 1 });
    await write(other);
    await testStore.store.run(begin, [begun(one, 10, ADA, BEN), begun(other, null, ADA)]);
    expect((await health(one))?.quota_spent).toBe(3);
    expect((await health(idle))?.quota_spent).toBe(1);
    expect((await health(other))?.quota_spent).toBe(0);
    await testStore.store.run(begin, [begun(other, 10, BEN)]);
    // The network has withdrawn the quota since the row was read.
    expect((await health(other))?.quota_spent).toBe(0);
    await testStore.store.run(begin, []);
  });
});
