import { describe, expect, test, vi } from 'vitest';
import {
  arrival,
  createPlayedJournal,
  senseless,
  settle,
  silent,
  toil,
  typing,
} from '../testing/played-journal.ts';

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

  test('what comes after the journal was looked at and before the answer is read with the next look', async () => {
    const { drain, offered, arrive, readAfter } = createPlayedJournal();
    const answer = Promise.withResolvers<void>();
    readAfter(answer.promise);
    drain.start();
    await settle();
    arrive(arrival('a'));
    readAfter();
    answer.resolve();
    await vi.waitFor(() => expect(offered).toEqual([['a']]));
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
    const { drain, offered, journal, arrive, reads } = createPlayedJournal();
    drain.start();
    const ids = Array.from({ length: 2_000 }, (_, index) => `m${index}`);
    for (const id of ids) arrive(arrival(id));
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(offered.flat()).toEqual(ids);
    expect(Math.max(...offered.map((batch) => batch.length))).toBeLessThanOrEqual(64);
    // At most 512 of them at a time.
    expect(reads()).toBeGreaterThanOrEqual(4);
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

  test('hands back all that makes no event and was left, however many calls that takes', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `left${index}`);
    const { drain, unprocessed, takes, clock, journal } = createPlayedJournal(ids.map(silent));
    drain.start();
    await vi.waitFor(() => expect(unprocessed).toHaveLength(100));
    await settle();
    // Nothing was taken that a commit would have to wait for.
    expect(takes).toEqual([]);
    clock.advance(29_999);
    await settle();
    expect(journal.size).toBe(100);
    clock.advance(1);
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(unprocessed).toHaveLength(100);
    await drain.stop();
  });

  test('takes what arrives in one go with one call', async () => {
    const { drain, offered, takes, arrive } = createPlayedJournal();
    drain.start();
    await settle();
    for (const id of ['a', 'b', 'c']) arrive(arrival(id));
    await vi.waitFor(() => expect(takes).toEqual([['a', 'b', 'c']]));
    expect(offered).toEqual([['a', 'b', 'c']]);
    await drain.stop();
  });

  test('is asleep when all is handed over, and wakes with whatever comes next', async () => {
    const { drain, offered, reads, arrive } = createPlayedJournal();
    drain.start();
    await settle();
    expect(reads()).toBe(1);
    for (const id of ['a', 'b']) {
      arrive(arrival(id));
      await settle();
    }
    drain.pushEphemeral(typing('t'));
    await settle();
    expect(offered).toEqual([['a'], ['b'], ['t']]);
    expect(reads()).toBe(1);
    await drain.stop();
  });

  test('keeps no more than 512 of what is passing while a call is under way', async () => {
    const { drain, offered, arrive, answerAfter } = createPlayedJournal();
    drain.start();
    await settle();
    const answer = Promise.withResolvers<void>();
    answerAfter(answer.promise);
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered).toEqual([['a']]));
    for (let index = 0; index < 600; index++) drain.pushEphemeral(typing(`t${index}`));
    answer.resolve();
    await vi.waitFor(() => expect(offered.flat()).toHaveLength(512));
    await settle();
    expect(offered.flat().at(-1)).toBe('t510');
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

  test('waits for the call under way when it is stopped, and makes none afterwards', async () => {
    const { drain, offered, unprocessed, arrive, answerAfter } = createPlayedJournal();
    drain.start();
    await settle();
    const answer = Promise.withResolvers<void>();
    answerAfter(answer.promise);
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered).toEqual([['a']]));
    arrive(arrival('b'));
    let isStopped = false;
    const stopped = drain.stop().then(() => {
      isStopped = true;
    });
    await settle();
    expect(isStopped).toBe(false);
    answer.resolve();
    await stopped;
    arrive(arrival('late'), silent('quiet'));
    drain.pushEphemeral(typing('t'));
    drain.reread();
    await settle();
    expect([offered, unprocessed]).toEqual([[['a']], []]);
  });
});
