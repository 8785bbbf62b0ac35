import { beforeEach, describe, expect, it } from 'vitest';
import { createSteppedClock, type TravelClock } from '#kernel';
import { isStoreError } from '../errors.ts';
import type { Kind, Request } from './protocol.ts';
import { createWriteLock, type LockWaiter } from './write-lock.ts';

const HELD_AT_MOST_MS = 1_000;

describe('a write lock', () => {
  let clock: TravelClock;
  let isInTransaction: boolean;
  let answers: string[];
  let turnstile: ReturnType<typeof createWriteLock>;
  beforeEach(() => {
    clock = createSteppedClock();
    isInTransaction = false;
    answers = [];
    turnstile = createWriteLock({
      answer({ kind }) {
        if (kind === 'begin') isInTransaction = true;
        if (kind === 'commit' || kind === 'rollback') isInTransaction = false;
        return kind;
      },
      isInTransaction: () => isInTransaction,
      rollBack() {
        isInTransaction = false;
        answers.push('rolled back');
      },
      heldAtMostMs: HELD_AT_MOST_MS,
      clock,
    });
  });

  function asker(name: string): LockWaiter & { ask(...kinds: Kind[]): void } {
    const own: LockWaiter = {
      answer(_request, answer) {
        try {
          answers.push(`${name} ${answer()}`);
        } catch (error) {
          answers.push(`${name} ${isStoreError(error, 'transaction_timeout') ? 'too late' : error}`);
        }
      },
    };
    return Object.assign(own, {
      ask: (...kinds: Kind[]) => {
        // Only their kinds matter here.
        for (const kind of kinds) turnstile.handle(own, { id: 1, kind } as Request);
      },
    });
  }

  it('admits every thread while there is no transaction', () => {
    const [one, two] = [asker('one'), asker('two')];
    one.ask('batch');
    two.ask('batch');
    expect(answers).toEqual(['one batch', 'two batch']);
  });

  it('lets one thread finish its transaction, then the others in order of arrival', () => {
    const [one, two, three] = [asker('one'), asker('two'), asker('three')];
    one.ask('begin');
    two.ask('begin', 'query');
    three.ask('batch');
    one.ask('query', 'commit');
    two.ask('rollback');
    expect(answers).toEqual([
      ...['one begin', 'one query', 'one commit'],
      ...['two begin', 'two query', 'two rollback', 'three batch'],
    ]);
  });

  it('rolls back a transaction that is held too long, and refuses the rest of its statements', () => {
    const [one, two] = [asker('one'), asker('two')];
    one.ask('begin', 'query');
    two.ask('batch');
    clock.advance(HELD_AT_MOST_MS);
    one.ask('query', 'commit', 'batch');
    expect(answers).toEqual([
      ...['one begin', 'one query', 'rolled back', 'two batch'],
      ...['one too late', 'one too late', 'one batch'],
    ]);
  });

  it('rolls back the transaction of a thread that is gone, and drops its waiting requests', () => {
    const [one, two] = [asker('one'), asker('two')];
    one.ask('begin');
    two.ask('begin', 'batch');
    turnstile.forget(two);
    turnstile.forget(one);
    one.ask('query');
    clock.advance(HELD_AT_MOST_MS);
    expect(answers).toEqual(['one begin', 'rolled back', 'one query']);
  });
});
