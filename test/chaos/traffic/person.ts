import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyedQueue, type Random } from '@parley/gateway/kernel';
import type { Gateway } from '../../conformance/gateway.ts';
import { newNumber, newPhone, until } from '../linked-number.ts';

export const PHONE_CHANGES = ['reinstalled', 'migrated', 'renumbered'] as const;

/** Changes of phones that were made, by kind. */
export type PhoneChanges = Record<(typeof PHONE_CHANGES)[number], number>;

/** A person with a phone, which may be installed anew, move to its LID and get another number while they write. */
export interface Person {
  /** All numbers of the account, in order; the last is the current one. */
  readonly numbers: readonly string[];
  readonly number: string;
  readonly changes: Readonly<PhoneChanges>;
  /** Runs work with the current number, which does not change meanwhile. */
  withNumber<T>(work: (number: string) => Promise<T>): Promise<T>;
  /** Changes the phone at least once: first in each of the given ways, then in any of them. */
  keepChanging(stop: AbortSignal, ways: readonly (keyof PhoneChanges)[], chance: Random): Promise<void>;
}

const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 4_000;

export async function newPerson(network: Gateway, settings: object): Promise<Person> {
  return personWith(network, await newPhone(network, settings));
}

export function personWith(network: Gateway, phone: string): Person {
  const numbers = [phone];
  const changes: PhoneChanges = { reinstalled: 0, migrated: 0, renumbered: 0 };
  const queued = createKeyedQueue();
  const number = (): string => numbers.at(-1) ?? phone;

  const inTurn = <T>(work: (number: string) => Promise<T>): Promise<T> =>
    queued('phone', () => work(number()));

  /** A phone that waits for a message asks for it under the number that it was sent to. */
  const expectsNothing = async (current: string): Promise<boolean> => {
    const shown = await network.sandbox<{ awaited_messages?: number }>('GET', `/phones/${current}`);
    return (shown.awaited_messages ?? 0) === 0;
  };

  const make: Record<keyof PhoneChanges, (current: string) => Promise<void>> = {
    async reinstalled(current) {
      await network.sandbox('POST', `/phones/${current}/reinstall`);
      changes.reinstalled += 1;
    },
    async migrated(current) {
      if (changes.migrated > 0) return;
      await network.sandbox('POST', `/phones/${current}/migrate`);
      changes.migrated += 1;
    },
    async renumbered(current) {
      await until('all messages of the old number', () => expectsNothing(current), Boolean);
      const fresh = newNumber();
      await network.sandbox('POST', `/phones/${current}/change-number`, { phone: fresh });
      numbers.push(fresh);
      changes.renumbered += 1;
    },
  };

  return {
    numbers,
    changes,
    get number() {
      return number();
    },
    withNumber: inTurn,
    async keepChanging(stop, ways, chance) {
      do {
        await sleep(SHORTEST_PAUSE_MS + chance.below(LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS));
        const way = ways.find((one) => changes[one] === 0) ?? ways[chance.below(ways.length)];
        if (way !== undefined) await inTurn(make[way]);
      } while (!stop.aborted);
    },
  };
}
