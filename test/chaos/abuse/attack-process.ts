/** Attacks until it is stopped, and reports the outcomes. A process of its own, so that it does not delay the measured clients. */
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS, type Attack, type Target } from './attacks.ts';

/** Counts by attack and answer. */
export type Outcomes = Record<string, Record<string, number>>;

export interface AttackOrder {
  readonly target: Target;
  readonly names: readonly string[];
}

// Attackers have machines of their own: their computing must not slow down the gateway.
setPriority(constants.priority.PRIORITY_LOW);

const stop = new AbortController();
const outcomes: Outcomes = {};

/** Spread over time: the attacks test the cost of each request, not the connection rate. */
async function keepAttacking(
  { name, parallel, pauseMs, attempt }: Attack,
  place: number,
  target: Target,
): Promise<void> {
  await sleep((place * pauseMs) / parallel);
  while (!stop.signal.aborted) {
    count(name, 'begun');
    count(name, await attempt(target, stop.signal));
    await sleep(pauseMs);
  }
}

function count(name: string, what: string): void {
  const counts = outcomes[name] ?? {};
  outcomes[name] = { ...counts, [what]: (counts[what] ?? 0) + 1 };
}

async function attackAll({ target, names }: AttackOrder): Promise<void> {
  const attacks = ATTACKS.filter(({ name }) => names.includes(name));
  await Promise.race([
    Promise.all(
      attacks.flatMap((attack) =>
        Array.from({ length: attack.parallel }, (_, place) => keepAttacking(attack, place, target)),
      ),
    ),
    // Requests still in flight have had their effect.
    new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve())),
  ]);
  process.send?.(outcomes, () => process.exit());
}

process.on('message', (message: AttackOrder | 'stop') => {
  if (message === 'stop') stop.abort();
  else void attackAll(message);
});
