import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../lib/in-parallel.ts';
import { median } from '../lib/median.ts';
import { numbersFrom } from '../lib/network/harness.ts';
import type { SandboxCalls } from '../lib/network/sandbox-process.ts';
import { startRemote } from '../lib/remote.ts';
import { verdict } from '../lib/verdict.ts';
import type { GatewayCalls } from './gateway-process.ts';

const startGateway = () => startRemote<GatewayCalls>(new URL('./gateway-process.ts', import.meta.url));
const FRIEND = '15559000001';
const LINKS_AT_ONCE = 4;
/** A number may send one message per second. */
const PACE_MS = 1_000;

/** Effect of a number with an endless queue on the others: their time from 202 to acknowledgement with and without it, in turns. */
export async function measureLongQueue({
  queued,
  rounds,
}: {
  queued: number;
  rounds: number;
}): Promise<void> {
  const gateway = startGateway();
  const [busy = '', ...others] = numbersFrom(15_557_000_000, 61);
  try {
    await gateway.call('start', [busy, ...others, FRIEND]);
    await inParallel([busy, ...others], LINKS_AT_ONCE, async (phone) => {
      await gateway.call('showQr', phone);
      await gateway.call('connected', phone);
    });
    // Warms up the compilers, and gives the busy number its first send.
    await gateway.call('sendEach', [busy, ...others], FRIEND);
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await sleep(PACE_MS);
      alone.push(...(await gateway.call('sendEach', others, FRIEND)));
      await gateway.call('fillQueue', busy, FRIEND, queued);
      await sleep(PACE_MS);
      beside.push(...(await gateway.call('sendEach', others, FRIEND)));
      await gateway.call('emptyQueue', busy);
    }
    console.log(
      `202 to ack: p50 ${median(alone).toFixed(2)} ms alone, ${median(beside).toFixed(2)} ms beside`,
    );
    verdict({
      name: `send beside ${queued} queued messages of another number`,
      figure: median(beside) / median(alone),
      atMost: 1.1,
    });
  } finally {
    await gateway.stop();
  }
}

/** From 202 to the acknowledgement over the real protocol, with the network in a process of its own. */
export async function measureWire({ rounds }: { rounds: number }): Promise<void> {
  const gateway = startGateway();
  const sandbox = startRemote<SandboxCalls>(new URL('../lib/network/sandbox-process.ts', import.meta.url));
  const phones = numbersFrom(15_558_000_000, 8);
  try {
    await sandbox.call('addPhones', [...phones, FRIEND]);
    await gateway.call('start', phones, await sandbox.call('address'));
    await inParallel(phones, LINKS_AT_ONCE, async (phone) => {
      await sandbox.call('scan', phone, await gateway.call('showQr', phone));
      await gateway.call('connected', phone);
    });
    // The first message of each number creates the encrypted session with its friend.
    await gateway.call('sendEach', phones, FRIEND);
    const latencies: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await sleep(PACE_MS);
      latencies.push(...(await gateway.call('sendEach', phones, FRIEND)));
    }
    verdict({ name: 'p50 from 202 to ack over the wire', figure: median(latencies), unit: 'ms', atMost: 50 });
  } finally {
    await gateway.stop();
    await sandbox.stop();
  }
}
