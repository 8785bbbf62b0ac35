/**
 * Kills the gateway with SIGKILL at random moments, again and again on the same data, while people write to a number whose
 * webhook goes to a receiver that fails a third of the time. In the end every message must have been accepted by the receiver;
 * duplicates are allowed, but only the same bytes under the same id.
 *
 * npm test -- webhooks [--rounds 200] [--seed N]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Delivery, WebhookWithSecret } from '@parley/contract';
import { createSeededRandom, systemRandom } from '@parley/gateway/kernel';
import { type OwnGateway, startGateway } from '../../conformance/gateway.ts';
import { type LinkedNumber, linkNumber, newPhone } from '../linked-number.ts';
import { type FlakyReceiver, startFlakyReceiver } from './flaky-receiver.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: `${systemRandom.below(2 ** 31)}` },
  },
});
const rounds = Number(values.rounds);
const chance = createSeededRandom(Number(values.seed));
const WRITERS = 4;
const LONGEST_LIFE_MS = 1_500;
/** Longer than any pause between two attempts, or between two probes of a paused receiver. */
const JUMP_SECONDS = 2_000;
/** Less than a day: deliveries that are pending after that are dead deliveries. */
const JUMPS_MAX = 40;
const QUIET_MS = 1_000;
const ROUNDS_PER_REPORT = 10;

/** Writes as fast as the network accepts. A message counts when the network has acknowledged it. */
async function keepWriting(
  gateway: OwnGateway,
  writer: string,
  to: string,
  sent: string[],
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    // The virtual network is inside the gateway, so it is down too while the gateway is dead.
    const taken = await gateway
      .sandbox<{ message_id: string }>('POST', `/phones/${writer}/messages`, {
        to,
        text: `message ${sent.length}`,
      })
      .catch(() => sleep(20));
    if (taken) sent.push(taken.message_id);
  }
}

async function killAgainAndAgain(gateway: OwnGateway, number: LinkedNumber, sent: string[]): Promise<void> {
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => newPhone(gateway)));
  for (let round = 0; round < rounds; round++) {
    const stop = new AbortController();
    const writing = writers.map((writer) => keepWriting(gateway, writer, number.phone, sent, stop.signal));
    await sleep(chance.below(LONGEST_LIFE_MS));
    // Now and then the next process is killed during its recovery.
    if (chance.below(3) === 0) await gateway.crash();
    await gateway.crash();
    stop.abort();
    await Promise.all(writing);
    const done = round + 1;
    if (done % ROUNDS_PER_REPORT === 0 && done < rounds)
      console.log(`${done} rounds: ${sent.length} events so far`);
  }
}

/**
 * Waits while deliveries progress, and moves the clock only when all that is left waits for its next attempt; dead deliveries are
 * sent again by hand, as the owner would.
 */
async function letEverythingArrive(
  gateway: OwnGateway,
  number: LinkedNumber,
  webhookId: string,
  isThere: () => boolean,
): Promise<number> {
  let redelivered = 0;
  for (let jumps = 0; jumps < JUMPS_MAX && !isThere(); jumps++) {
    for (let asked = -1; asked < receiver.requests && !isThere(); ) {
      asked = receiver.requests;
      await sleep(QUIET_MS);
    }
    const dead = await number.call<{ deliveries: Delivery[] }>(
      'GET',
      `/webhooks/${webhookId}/deliveries?status=dead&limit=100`,
    );
    for (const { delivery_id } of dead.body.deliveries) {
      await number.call('POST', `/webhooks/${webhookId}/deliveries/${delivery_id}/redeliver`);
      redelivered++;
    }
    await gateway.sandbox('POST', '/clock', { advance_seconds: JUMP_SECONDS });
  }
  return redelivered;
}

function count(sent: readonly string[], receiver: FlakyReceiver) {
  const histories = sent.map((id) => receiver.historyOf(id));
  return {
    lost: histories.filter(({ accepted }) => accepted === 0).length,
    changed: histories.filter(({ versions }) => versions > 1).length,
    copies: histories.reduce((sum, { accepted }) => sum + Math.max(accepted - 1, 0), 0),
  };
}

console.log(`seed ${values.seed}`);
const receiver = await startFlakyReceiver(chance);
const gateway = await startGateway();
const sent: string[] = [];
try {
  const number = await linkNumber(gateway);
  const urls = { messages_url: receiver.url };
  const { body: webhook } = await number.call<WebhookWithSecret>('POST', '/webhooks', {
    session_id: number.sessionId,
    ...urls,
  });
  receiver.secret = webhook.secret;
  await killAgainAndAgain(gateway, number, sent);
  const isThere = (): boolean => count(sent, receiver).lost === 0;
  const redelivered = await letEverythingArrive(gateway, number, webhook.id, isThere);
  const { lost, changed, copies } = count(sent, receiver);
  console.log(
    `${rounds} rounds: ${sent.length} events, ${receiver.requests} requests, ${lost} lost, ${copies} accepted more than once ` +
      `(${changed} of them changed), ${receiver.forged} forged, ${redelivered} sent again by hand`,
  );
  const passed = sent.length > 0 && lost === 0 && changed === 0 && receiver.forged === 0;
  process.exitCode = passed ? 0 : 1;
} finally {
  await gateway.stop();
  receiver.close();
}
