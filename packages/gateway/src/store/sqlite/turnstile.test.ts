import { beforeEach, describe, expect, it } from 'vitest';
import { createSteppedClock, type TravelClock } from '#kernel';
import { isStoreError } from '../errors.ts';
import type { Kind, Request } from './protocol.ts';
import { type Asker, createTurnstile } from './turnstile.ts';

const HELD_AT_MOST_MS = 1_000;

describe('a turnstile', () => {
  let clock: TravelClock;
  let isInTransaction: boolean;
  let told: string[];
  let turnstile: ReturnType<typeof createTurnstile>;
  beforeEach(() => {
    clock = createSteppedClock();
    isInTransaction = false;
    told = [];
    turnstile = createTurnstile({
      answer({ kind }) {
        if (kind === 'begin') isInTransaction = true;
        if (kind === 'commit' || kind === 'rollback') isInTransaction = false;
        return kind;
      },
      isInTransaction: () => isInTransaction,
      rollBack() {
        isInTransaction = false;
        told.push('rolled back');
      },
      heldAtMostMs: HELD_AT_MOST_MS,
      clock,
    });
  });

  function asker(name: string): Asker & { ask(...kinds: Kind[]): void } {
    const own: Asker = {
      answer(_request, answer) {
        try {
          told.push(`${name} ${answer()}`);
        } catch (error) {
          told.push(`${name} ${isStoreError(error, 'transaction_timeout') ? 'too late' : error}`);
        }
      },
    };
    return Object.assign(own, {
      ask: (...kinds: Kind[]) => {
        // Only their kinds are looked at here.
        for (const kind of kinds) turnstile.hear(own, { id: 1, kind } as Request);
      },
    });
  }

  it('lets everybody through while nobody has a transaction', () => {
    const [one, two] = [asker('one'), asker('two')];
    one.ask('batch');
    two.ask('batch');
    expect(told).toEqual(['one batch', 'two batch']);
  });

  it('lets one finish its transaction, then the others in the order in which they came', () => {
    const [one, two, three] = [asker('one'), asker('two'), asker('three')];
    one.ask('begin');
    two.ask('begin', 'query');
    three.ask('batch');
    one.ask('query', 'commit');
    two.ask('rollback');
    expect(told).toEqual([
      ...['one begin', 'one query', 'one commit'],
      ...['two begin', 'two query', 'two rollback', 'three batch'],
    ]);
  });

  it('rolls back what somebody holds too long, and takes the rest of it for nothing else', () => {
    const [one, two] = [asker('one'), asker('two')];
    one.ask('begin', 'query');
    two.ask('batch');
    clock.advance(HELD_AT_MOST_MS);
    one.ask('query', 'commit', 'batch');
    expect(told).toEqual([
      ...['one begin', 'one query', 'rolled back', 'two batch'],
      ...['one too late', 'one too late', 'one batch'],
    ]);
  });

  it('rolls back what somebody leaves behind, and forgets what they still wanted', () => {
    const [one, two] = [asker('one'), asker('two')];
    one.ask('begin');
    two.ask('begin', 'batch');
    turnstile.forget(two);
    turnstile.forget(one);
    one.ask('query');
    clock.advance(HELD_AT_MOST_MS);
    expect(told).toEqual(['one begin', 'rolled back', 'one query']);
  });
});
