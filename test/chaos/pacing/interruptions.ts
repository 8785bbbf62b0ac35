import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnGateway } from '../../conformance/gateway.ts';
import { until } from '../linked-number.ts';
import type { Integrator } from './integrator.ts';

const LONGEST_BEFORE_KILL_MS = 400;

/** Falls into the send, the commit, the ack or the settlement. */
export async function killWhile(
  gateway: OwnGateway,
  chance: { below(limit: number): number },
  work: () => Promise<unknown>,
): Promise<void> {
  const working = work().catch(() => {});
  await sleep(chance.below(LONGEST_BEFORE_KILL_MS));
  await gateway.crash();
  await working;
}

export async function untilOnline({ number }: Integrator): Promise<void> {
  const path = `/sessions/${encodeURIComponent(number.sessionId)}`;
  await until(
    'the number',
    async () => (await number.call<{ status?: string }>('GET', path)).body.status,
    (status) => status === 'connected',
  );
}
