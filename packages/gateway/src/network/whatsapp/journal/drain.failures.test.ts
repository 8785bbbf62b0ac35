import { describe, expect, test, vi } from 'vitest';
import { StoreError } from '#platform/store';
import { arrival, createRecordedJournal, settle, silent, toil, typing } from '../testing/played-journal.ts';
import { LinkLost } from '../vault/index.ts';

describe('journal drain failures', () => {
  test.each([
    ['the database is out of reach', new StoreError('unreachable', 'gone')],
    ['the link is lost', new LinkLost('taken_over')],
  ])('keeps an arrival for later when it cannot be made into events because %s', async (_why, error) => {
    const { drain, offered, journal, clock, blind } = createRecordedJournal([arrival('a')]);
    blind(error);
    drain.start();
    await settle();
    clock.advance(31_000);
    await settle();
    expect([offered, [...journal.keys()]]).toEqual([[], ['a']]);
    blind();
    clock.advance(31_000);
    await vi.waitFor(() => expect(journal.size).toBe(0));
    expect(offered).toEqual([['a']]);
    await drain.stop();
  });

  test('backs off with each failure, and resets the backoff after a success of either kind', async () => {
    const { drain, offered, clock, arrive, fail, refuse } = createRecordedJournal([arrival('a')]);
    const afterMs = async (ms: number) => {
      await settle();
      clock.advance(ms);
      await settle();
      return offered.length;
    };
    fail(new Error('out of reach'));
    drain.start();
    expect(await afterMs(700)).toBe(0);
    fail();
    refuse(true);
    // The second pause is twice as long as the first.
    expect(await afterMs(700)).toBe(0);
    expect(await afterMs(600)).toBe(1);
    refuse(false);
    expect(await afterMs(700)).toBe(2);
    refuse(true);
    arrive(arrival('b'));
    expect(await afterMs(0)).toBe(3);
    refuse(false);
    expect(await afterMs(700)).toBe(4);
    await drain.stop();
  });

  test('repeats a rejected call after a pause, without its ephemeral events', async () => {
    const { drain, offered, journal, clock, arrive, refuse } = createRecordedJournal();
    drain.start();
    refuse(true);
    arrive(arrival('a'));
    drain.pushEphemeral(typing('t'));
    await vi.waitFor(() => expect(offered).toEqual([['a', 't']]));
    expect(journal.size).toBe(1);
    refuse(false);
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(offered).toEqual([['a', 't'], ['a']]);
    });
    await vi.waitFor(() => expect(journal.size).toBe(0));
    await drain.stop();
  });

  test('takes an arrival without an event later when its sweep failed', async () => {
    const { drain, journal, clock, offered, arrive, fail } = createRecordedJournal();
    drain.start();
    await settle();
    arrive(silent('quiet'), arrival('a'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    fail(new Error('out of reach'));
    clock.advance(31_000);
    await settle();
    expect([...journal.keys()]).toEqual(['quiet']);
    fail();
    await vi.waitFor(() => {
      clock.advance(31_000);
      expect(journal.size).toBe(0);
    });
    expect(offered.flat()).toEqual(['a']);
    await drain.stop();
  });

  test('leaves arrivals without an event to the next owner when the link is lost', async () => {
    const { drain, journal, clock, offered, arrive, fail } = createRecordedJournal();
    drain.start();
    await settle();
    arrive(silent('quiet'), arrival('a'));
    await vi.waitFor(() => expect([...journal.keys()]).toEqual(['quiet']));
    fail(new LinkLost('taken_over'));
    arrive(arrival('b'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a', 'b']));
    await settle();
    fail();
    clock.advance(31_000);
    await settle();
    expect([...journal.keys()]).toEqual(['quiet', 'b']);
    await drain.stop();
  });

  test('leaves an arrival whose work was given up for the next run', async () => {
    const { drain, journal, begun, work, arrive } = createRecordedJournal();
    drain.start();
    arrive(toil('a'));
    await vi.waitFor(() => expect(begun()).toBe(1));
    work.reject(new Error('closed'));
    await settle();
    expect([...journal.keys()]).toEqual(['a']);
    await drain.stop();
  });

  test('repeats work that is done and could not be recorded', async () => {
    const { drain, journal, clock, begun, work, arrive, fail } = createRecordedJournal();
    drain.start();
    arrive(toil('a'));
    await vi.waitFor(() => expect(begun()).toBe(1));
    fail(new StoreError('unreachable', 'gone'));
    work.resolve();
    await settle();
    expect([...journal.keys()]).toEqual(['a']);
    fail();
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(journal.size).toBe(0);
    });
    expect(begun()).toBe(2);
    await drain.stop();
  });

  test('leaves an arrival in the journal when its work ends after the drain has stopped', async () => {
    const { drain, journal, begun, work, arrive } = createRecordedJournal();
    drain.start();
    arrive(toil('a'), silent('quiet'));
    await vi.waitFor(() => expect(begun()).toBe(1));
    await drain.stop();
    work.resolve();
    await settle();
    expect([...journal.keys()]).toEqual(['a', 'quiet']);
  });

  test('sweeps no arrivals after it has stopped', async () => {
    const { drain, journal, clock, arrive, offered } = createRecordedJournal();
    drain.start();
    arrive(silent('quiet'), arrival('a'));
    await vi.waitFor(() => expect(offered.flat()).toEqual(['a']));
    await settle();
    await drain.stop();
    clock.advance(60_000);
    await settle();
    expect([...journal.keys()]).toEqual(['quiet']);
  });

  test('continues when the first read of the database fails', async () => {
    const { drain, offered, journal, clock, fail } = createRecordedJournal([arrival('a')]);
    fail(new Error('out of reach'));
    drain.start();
    await settle();
    fail();
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(journal.size).toBe(0);
    });
    expect(offered).toEqual([['a']]);
    await drain.stop();
  });

  test('delivers again the arrivals that it could not take, and then later ones', async () => {
    const { drain, offered, journal, clock, arrive, fail } = createRecordedJournal();
    drain.start();
    await settle();
    fail(new Error('out of reach'));
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered).toEqual([['a']]));
    await settle();
    arrive(arrival('b'));
    fail();
    await vi.waitFor(() => {
      clock.advance(1_000);
      expect(journal.size).toBe(0);
    });
    expect(offered.flat()).toEqual(['a', 'a', 'b']);
    await drain.stop();
  });

  test('leaves everything to the next owner when the link is lost', async () => {
    const { drain, offered, clock, journal, arrive, fail } = createRecordedJournal();
    drain.start();
    await settle();
    fail(new LinkLost('taken_over'));
    arrive(arrival('a'));
    await vi.waitFor(() => expect(offered).toEqual([['a']]));
    await settle();
    fail();
    clock.advance(60_000);
    await settle();
    expect([offered.length, journal.size]).toEqual([1, 1]);
    await drain.stop();
  });
});
