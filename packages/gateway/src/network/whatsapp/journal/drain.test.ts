import { describe, expect, test, vi } from 'vitest';
import { arrival, createPlayedJournal, senseless, settle, silent, toil } from '../testing/played-journal.ts';

describe('handing over', () => {
  test('what the last run left comes first, then what arrives, each once', async () => {
    const { drain, offered, journal, arrive } = createPlayedJournal([arrival('a'), arrival('b')]);
    drain.start();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b']));
    arrive(arrival('c'));
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(offered.flat()).toEqual(['a', 'b', 'c']);
    await drain.stop();
  });

  test('what arrives while the journal is being read is not forgotten', async () => {
    const { drain, offered, arrive } = createPlayedJournal([arrival('a')]);
    drain.start();
    arrive(arrival('b'), arrival('c'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b', 'c']));
    await drain.stop();
  });

  test('what was read before the commit that put it there was answered is not offered again', async () => {
    const { drain, offered, journal, arrive } = createPlayedJournal();
    drain.start();
    await settle();
    // The writer has it, and its answer is still on the way.
    journal.set('a', arrival('a'));
    drain.reread();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    drain.push([arrival('a')]);
    arrive(arrival('b'));
    await vi.waitFor(() => expect(offered.flat()).toContain('b'));
    expect(offered.flat()).toEqual(['a', 'b']);
    await drain.stop();
  });

  test('what makes no sense holds up nothing that stands behind it', async () => {
    const { drain, offered, arrive } = createPlayedJournal([arrival('a'), senseless('b'), arrival('c')]);
    drain.start();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'c']));
    arrive(senseless('d'), arrival('e'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'c', 'e']));
    await drain.stop();
  });

  test('a flood waits in the journal, not in memory, and loses nothing', async () => {
    const { drain, offered, journal, arrive } = createPlayedJournal();
    drain.start();
    const ids = Array.from({ length: 2_000 }, (_, index) => `m${index}`);
    for (const id of ids) arrive(arrival(id));
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(offered.flat()).toEqual(ids);
    expect(Math.max(...offered.map((batch) => batch.length))).toBeLessThanOrEqual(64);
    await drain.stop();
  });

  test('what makes no event stays a while, and is handed back after a crash', async () => {
    const { drain, journal, clock, unprocessed, offered, arrive } = createPlayedJournal([silent('left')]);
    drain.start();
    await vi.waitFor(() => expect(unprocessed).toHaveLength(1));
    arrive(silent('new'), arrival('a'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    expect([...journal.keys()]).toEqual(['left', 'new']);
    expect(unprocessed).toHaveLength(1);
    clock.advance(31_000);
    await vi.waitFor(() => expect(journal.size).toBe(0));
    await drain.stop();
  });

  test('what the driver works on stays until that is done, however long it takes, and is begun once', async () => {
    const { drain, journal, clock, unprocessed, offered, begun, work, arrive } = createPlayedJournal([
      toil('left'),
    ]);
    drain.start();
    await vi.waitFor(() => expect(begun()).toBe(1));
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    clock.advance(600_000);
    drain.reread();
    await settle();
    expect([...journal.keys()]).toEqual(['left']);
    expect([begun(), unprocessed]).toEqual([1, []]);
    work.resolve();
    await vi.waitFor(() => expect(journal.size).toBe(0));
    await drain.stop();
  });

  test('offers nothing again that was taken and has not been struck off yet', async () => {
    const { drain, offered, journal, arrive, takeAfter } = createPlayedJournal();
    const nextCommit = Promise.withResolvers<void>();
    takeAfter(nextCommit.promise);
    drain.start();
    await settle();
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered).toEqual([['a']]));
    drain.reread();
    arrive(arrival('b'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b']));
    expect([...journal.keys()]).toEqual(['a', 'b']);
    nextCommit.resolve();
    await vi.waitFor(() => expect(journal.size).toBe(0));
    await drain.stop();
  });

  test('finds what lies in the journal and nobody told of, when asked to look again', async () => {
    const { drain, offered, journal } = createPlayedJournal();
    drain.start();
    await settle();
    journal.set('quiet', arrival('quiet'));
    drain.reread();
    await vi.waitFor(() => expect(offered).toEqual([['quiet']]));
    await drain.stop();
  });

  test('nobody is called after it has stopped', async () => {
    const { drain, offered, arrive } = createPlayedJournal();
    drain.start();
    await drain.stop();
    arrive(arrival('late'));
    await Promise.resolve();
    expect(offered).toEqual([]);
  });
});
