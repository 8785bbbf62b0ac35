import { compileParse } from '@parley/contract';
import Type from 'typebox';
import type { Clock, Random, TravelClock } from '#kernel';
import { inBackground, sleepOrAbort } from '#kernel';
import type { Log } from '#platform/observe';
import { PREFIX, type SandboxClient } from './client.ts';

/** Path that followers of a virtual network's clock poll. */
export const TRAVELS_PATH = `${PREFIX}/travels`;

export const Travelled = Type.Object({ travelled_ms: Type.Number() });
const parseTravelled = compileParse(Travelled);

const PATIENCE_MS = 20_000;
const ASK_AGAIN_AFTER_MS = 500;

/**
 * Moves the clock of this process whenever the virtual network's is moved, starting with its current travelled time. Resolves when the
 * clock is right for the first time, to a function that stops it.
 */
export async function followClock({
  client,
  clock,
  arrived,
  machineClock,
  random,
  log,
}: {
  client: SandboxClient;
  clock: TravelClock;
  /** Resolves when all clocks that follow this one have arrived. */
  arrived?: () => Promise<void>;
  machineClock: Clock;
  random: Pick<Random, 'bytes'>;
  log: Log;
}): Promise<() => void> {
  const name = Buffer.from(random.bytes(8)).toString('hex');
  const stopping = new AbortController();
  let travelled = 0;

  async function follow(at: number): Promise<void> {
    const { body } = await client.ask({
      method: 'GET',
      path: `${TRAVELS_PATH}?follower=${name}&at=${at}`,
      timeoutMs: PATIENCE_MS,
      signal: stopping.signal,
    });
    const answer = parseTravelled(JSON.parse(body.toString()));
    if (!answer.ok) throw new TypeError(answer.text);
    const further = answer.value.travelled_ms - travelled;
    if (further <= 0) return;
    travelled += further;
    clock.advance(further);
    await arrived?.();
  }

  async function keepFollowing(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await follow(travelled);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error }, 'the sandbox does not report its time; retrying');
        await sleepOrAbort(machineClock, ASK_AGAIN_AFTER_MS, stopping.signal);
      }
    }
  }

  // A negative time is answered at once.
  await follow(-1);
  inBackground(keepFollowing(), log, 'the time of the sandbox is no longer followed');
  return () => stopping.abort();
}
