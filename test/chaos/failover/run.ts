/**
 * Two gateway processes on PostgreSQL with a synchronous standby, under traffic both ways, lose the primary like a machine, and
 * the standby is promoted; in every second round the standby is lost first, and commits cannot be confirmed for a while. They
 * find the new primary by an address that names both. In the end every accepted message must be on its phone exactly once, in
 * order, every event must have been delivered, the numbers must be linked as before, and each must have sent again within half a
 * minute of the loss of a primary.
 *
 * npm test -- failover [--rounds 20]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSystemClock } from '@parley/gateway/kernel';
import { createPostgresDatabase } from '../../../packages/gateway/src/platform/store/testing/index.ts';
import { startCluster } from '../../cluster/cluster.ts';
import { gatewayAt } from '../../conformance/gateway.ts';
import { startNats } from '../../services/nats.ts';
import { startPostgresPair } from '../../services/postgres-pair.ts';
import { startEventRecorder } from '../traffic/event-recorder.ts';
import { add, examine, isClean, NOTHING_FOUND, summarize } from '../traffic/examine.ts';
import { type BusyNumber, linkBusyNumber } from '../traffic/number.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const rounds = Number(values.rounds);
const clock = createSystemClock();
const NUMBERS = 4;
/** A hundred messages without a gap pause a number for five minutes, so it sends slowly, and is replaced before that. */
const ROUNDS_PER_FLEET = 2;
const BETWEEN_SENDS_MS = 1_500;
const TALK_MS = 3_000;
/** Longer than a commit may wait for its standby. */
const UNCONFIRMED_MS = 7_000;
const BACK_WITHIN_MS = 30_000;
/** A number sends one at a time. */
const MOST_UNDER_WAY = 1;

await using opened = new AsyncDisposableStack();
const [pair, nats] = await Promise.all([startPostgresPair(), startNats()]);
opened.defer(() => nats.stop());
opened.defer(() => pair.stop());
process.env.PARLEY_TEST_NATS_URL = nats.url;
const recorder = await startEventRecorder();
opened.defer(() => recorder.close());
const { url } = await createPostgresDatabase(pair.primaryUrl);
const address = pair.naming(url);
const cluster = await startCluster({
  size: 2,
  database: { url, drop: async () => {} },
  environment: { PARLEY_LOG_LEVEL: 'fatal' },
  way: async (server, direct) => (server === 'database' ? address : direct),
});
opened.defer(() => cluster.stop());

/** The sandbox itself, which stays up during all faults. */
const network = gatewayAt([cluster.sandboxUrl]);
const urls = { status_url: recorder.url, messages_url: recorder.url, events_url: recorder.url };

async function linkOf({ phone }: BusyNumber): Promise<string> {
  const path = `/phones/${phone}`;
  const { linked_devices } = await network.sandbox<{
    linked_devices: { session_id: string; linked_at_unix: number }[];
  }>('GET', path);
  return linked_devices.map((device) => `${device.session_id} ${device.linked_at_unix}`).join();
}

async function arrived({ phone, friend }: BusyNumber): Promise<number> {
  const path = `/phones/${friend.number}/messages`;
  const { messages } = await network.sandbox<{ messages: { sender_phone: string }[] }>('GET', path);
  return messages.filter(({ sender_phone }) => sender_phone === `${phone}@s.whatsapp.net`).length;
}

/**
 * Takes a snapshot now. Resolves when each number has had another message accepted since, and more have arrived than were in
 * flight; returns the time of the last acceptance.
 */
function untilAllHaveSent(fleet: readonly BusyNumber[]): () => Promise<number> {
  const looks = fleet.map((number) => ({
    number,
    accepted: number.accepted.length,
    arrived: arrived(number),
  }));
  return async () => {
    const acceptedAt = await Promise.all(
      looks.map(async ({ number, accepted, arrived: before }) => {
        while (number.accepted.length <= accepted) await sleep(100);
        const at = clock.monotonic();
        while ((await arrived(number)) <= (await before) + MOST_UNDER_WAY) await sleep(100);
        return at;
      }),
    );
    return Math.max(...acceptedAt);
  };
}

async function whileTalking<T>(fleet: readonly BusyNumber[], work: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const talking = Promise.all(fleet.map((number) => number.keepTalking(stop.signal, BETWEEN_SENDS_MS)));
  const outcome = await work().catch((error: unknown) => {
    // A number that talks cannot be stopped within a send, and would end this process with its own error.
    console.error(error);
    process.exit(1);
  });
  stop.abort();
  await talking;
  return outcome;
}

async function loseServers(
  fleet: readonly BusyNumber[],
  standbyFirst: boolean,
): Promise<{ promotedMs: number; acceptedMs: number; backMs: number }> {
  await sleep(TALK_MS);
  if (standbyFirst) {
    pair.killStandby();
    await sleep(UNCONFIRMED_MS);
  }
  const lostAt = clock.monotonic();
  const allHaveSent = untilAllHaveSent(fleet);
  await pair.failOver();
  const promotedMs = clock.monotonic() - lostAt;
  const acceptedMs = (await allHaveSent()) - lostAt;
  const backMs = clock.monotonic() - lostAt;
  return { promotedMs, acceptedMs, backMs };
}

let total = NOTHING_FOUND;
let relinked = 0;
/** By whether the standby was lost first: a cluster that could not write for a while has more to repair. */
const slowestMs = { false: 0, true: 0 };
for (let done = 0; done < rounds; done += ROUNDS_PER_FLEET) {
  const fleet = await Promise.all(
    Array.from({ length: NUMBERS }, () => linkBusyNumber(cluster, network, urls)),
  );
  const links = await Promise.all(fleet.map(linkOf));
  for (let round = done; round < Math.min(done + ROUNDS_PER_FLEET, rounds); round++) {
    const standbyFirst = round % 2 === 1;
    const { promotedMs, acceptedMs, backMs } = await whileTalking(fleet, () =>
      loseServers(fleet, standbyFirst),
    );
    await pair.replaceStandby();
    slowestMs[`${standbyFirst}`] = Math.max(slowestMs[`${standbyFirst}`], backMs);
    const lost = standbyFirst ? 'the standby, and then the primary' : 'the primary';
    console.log(
      `round ${round + 1}: lost ${lost}; promoted after ${inSeconds(promotedMs)}, all were accepted one after ${inSeconds(acceptedMs)}, all have sent after ${inSeconds(backMs)}`,
    );
  }
  total = (await Promise.all(fleet.map((number) => examine(network, number, recorder)))).reduce(add, total);
  const after = await Promise.all(fleet.map(linkOf));
  relinked += links.filter((link, index) => link !== after[index]).length;
}

console.log(summarize(`${rounds} rounds`, total));
console.log(
  `${relinked} numbers linked anew; all had sent again ${inSeconds(slowestMs.false)} after the loss of the primary at most, ${inSeconds(slowestMs.true)} where the standby was lost first`,
);
process.exitCode = isClean(total) && relinked === 0 && slowestMs.false < BACK_WITHIN_MS ? 0 : 1;

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
