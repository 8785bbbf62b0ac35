import { describe, expect, test, vi } from 'vitest';
import {
  arrival,
  createRecordedJournal,
  early,
  senseless,
  settle,
  silent,
  toil,
  typing,
} from '../testing/played-journal.ts';
import { HELD_MS } from './held-arrivals.ts';

describe('journal drain', () => {
  test('delivers the arrivals of the last run first, then new ones, each once', async () => {
    const { drain, offered, journal, arrive } = createRecordedJournal([arrival('a'), arrival('b')]);
    drain.start();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b']));
    arrive(arrival('c'));
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(offered.flat()).toEqual(['a', 'b', 'c']);
    await drain.stop();
  });

  test('delivers an arrival that is committed during a read of the journal', async () => {
    const { drain, offered, arrive } = createRecordedJournal([arrival('a')]);
    drain.start();
    arrive(arrival('b'), arrival('c'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b', 'c']));
    await drain.stop();
  });

  test('reads an arrival again that is committed after the query and before its result', async () => {
    const { drain, offered, arrive, readAfter } = createRecordedJournal();
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

  test('delivers an arrival once that was read before its commit resolved', async () => {
    const { drain, offered, journal, arrive } = createRecordedJournal();
    drain.start();
    await settle();
    // The writer has committed it, and the answer is still on its way.
    journal.set('a', arrival('a'));
    drain.reread();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    drain.push([arrival('a')]);
    arrive(arrival('b'));
    await vi.waitFor(() => expect(offered.flat()).toContain('b'));
    expect(offered.flat()).toEqual(['a', 'b']);
    await drain.stop();
  });

  test('reads an early arrival again once the awaited one has come, and holds no other back', async () => {
    const { drain, clock, offered, journal, arrive } = createRecordedJournal([early('b', 'a'), arrival('c')]);
    drain.start();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['c']));
    drain.reread();
    await settle();
    clock.advance(HELD_MS / 2);
    await settle();
    expect(journal.has('b')).toBe(true);
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['c', 'a']));
    clock.advance(HELD_MS / 4);
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(offered.flat()).toEqual(['c', 'a', 'b']);
    await drain.stop();
  });

  test('gives up waiting after a minute, and holds a bounded number', async () => {
    const many = Array.from({ length: 300 }, (_, at) => early(`${at}`, 'a'));
    const { drain, clock, offered, journal } = createRecordedJournal(many);
    drain.start();
    await vi.waitFor(() => expect(offered.flat()).toHaveLength(300 - 256));
    await vi.waitFor(async () => {
      clock.advance(HELD_MS / 4);
      await settle();
      expect(journal.size).toBe(0);
    });
    expect(new Set(offered.flat())).toEqual(new Set(many.map(({ digest }) => `${digest}, given up`)));
    expect(offered.flat()).toHaveLength(300);
    await drain.stop();
  });

  test('skips an unreadable arrival without blocking later ones', async () => {
    const { drain, offered, arrive } = createRecordedJournal([arrival('a'), senseless('b'), arrival('c')]);
    drain.start();
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'c']));
    arrive(senseless('d'), arrival('e'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'c', 'e']));
    await drain.stop();
  });

  test('leaves a flood in the journal instead of memory, and loses none of it', async () => {
    const { drain, offered, journal, arrive, reads } = createRecordedJournal();
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

  test('keeps an arrival without an event for a while, and hands it to `onUnprocessed` after a crash', async () => {
    const { drain, journal, clock, unprocessed, offered, arrive } = createRecordedJournal([silent('left')]);
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

  test('keeps an arrival until its work is done, however long it takes, and starts the work once', async () => {
    const { drain, journal, clock, unprocessed, offered, begun, work, arrive } = createRecordedJournal([
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

  test('hands all remaining arrivals without an event to `onUnprocessed`, in any number of calls', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `left${index}`);
    const { drain, unprocessed, takes, clock, journal } = createRecordedJournal(ids.map(silent));
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

  test('delivers the arrivals of one tick with one call', async () => {
    const { drain, offered, takes, arrive } = createRecordedJournal();
    drain.start();
    await settle();
    for (const id of ['a', 'b', 'c']) arrive(arrival(id));
    await vi.waitFor(() => expect(takes).toEqual([['a', 'b', 'c']]));
    expect(offered).toEqual([['a', 'b', 'c']]);
    await drain.stop();
  });

  test('sleeps when everything is delivered, and wakes with the next arrival', async () => {
    const { drain, offered, reads, arrive } = createRecordedJournal();
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

  test('keeps at most 512 ephemeral events during a call', async () => {
    const { drain, offered, arrive, answerAfter } = createRecordedJournal();
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

  test('delivers no arrival again that is taken and not yet removed', async () => {
    const { drain, offered, journal, arrive, takeAfter } = createRecordedJournal();
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

  test('finds unannounced arrivals in the journal on `reread`', async () => {
    const { drain, offered, journal } = createRecordedJournal();
    drain.start();
    await settle();
    journal.set('quiet', arrival('quiet'));
    drain.reread();
    await vi.waitFor(() => expect(offered).toEqual([['quiet']]));
    await drain.stop();
  });

  test('waits for the current call when it is stopped, and makes no further one', async () => {
    const { drain, offered, unprocessed, arrive, answerAfter } = createRecordedJournal();
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
