/** Attacks until it is told to stop, and says what came of it: beside the clients whose waiting is measured, it would make them wait itself. */
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS, type Attack, type Target } from './attacks.ts';

/** How often each attack was begun, and had which answer. */
export type Outcomes = Record<string, Record<string, number>>;

export interface AttackOrder {
  readonly target: Target;
  readonly names: readonly string[];
}

// Attackers have machines of their own: what they compute may not be taken from the gateway.
setPriority(constants.priority.PRIORITY_LOW);

const stop = new AbortController();
const outcomes: Outcomes = {};

/** Not all in the same instant: what is tried is what each costs, not how many connections can be made in a second. */
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
    // What is still asked then has had its effect.
    new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve())),
  ]);
  process.send?.(outcomes, () => process.exit());
}

process.on('message', (message: AttackOrder | 'stop') => {
  if (message === 'stop') stop.abort();
  else void attackAll(message);
});
