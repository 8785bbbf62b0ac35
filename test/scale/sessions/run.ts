/**
 * Links many numbers over the wire, kills the gateway with SIGKILL, and waits until all of them are back without help. Then the
 * same after a graceful restart.
 *
 * npm test -- sessions [--sessions 200]
 */
import { parseArgs } from 'node:util';
import type { HostedSession } from '@parley/contract';
import { createSystemClock } from '@parley/gateway/kernel';
import { linkNumber, until } from '../../chaos/linked-number.ts';
import { startGateway } from '../../conformance/gateway.ts';

const { values } = parseArgs({ options: { sessions: { type: 'string', default: '200' } } });
const wanted = Number(values.sessions);
/** Creating keys for a link keeps one core busy. */
const LINKED_AT_ONCE = 4;

const clock = createSystemClock();
const gateway = await startGateway();

async function connected(): Promise<number> {
  const { sessions } = await gateway.operator<{ sessions: HostedSession[] }>('GET', '/sessions');
  return sessions.filter(({ status, worker }) => status === 'connected' && worker !== null).length;
}

/** Seconds until all are connected. */
async function allConnected(count: number): Promise<number> {
  const startedAt = clock.monotonic();
  await until('the last session', connected, (found) => found === count);
  return (clock.monotonic() - startedAt) / 1_000;
}

async function linkAll(): Promise<number> {
  const startedAt = clock.monotonic();
  let begun = 0;
  const linkOneByOne = async (): Promise<void> => {
    while (begun < wanted) {
      begun += 1;
      await linkNumber(gateway);
    }
  };
  await Promise.all(Array.from({ length: LINKED_AT_ONCE }, linkOneByOne));
  return (clock.monotonic() - startedAt) / 1_000;
}

try {
  // The demo's own number is one more.
  const others = await connected();
  const linked = await linkAll();
  await allConnected(wanted + others);
  console.log(`${wanted} sessions linked in ${linked.toFixed(1)} s, ${(linked / wanted).toFixed(2)} s each`);
  for (const end of ['crash', 'restart'] as const) {
    await gateway[end]();
    const back = await allConnected(wanted + others);
    console.log(`${wanted} sessions back ${back.toFixed(1)} s after the gateway was ready again (${end})`);
  }
} finally {
  await gateway.stop();
}
