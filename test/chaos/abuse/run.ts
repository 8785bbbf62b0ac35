/**
 * Attacks a gateway with a limit of 512 MB in all ways that cost it much and the attacker little, at once, while numbers of other
 * accounts exchange messages, in chats and groups. All messages and their events must arrive exactly once; their sends must be
 * accepted within five times the time of quiet; and the memory must be released: after each round at most a fifth more than
 * before the first, with all code loaded.
 *
 * The limit is a heap of that size and a watch from outside that kills the process above it, like a container's.
 *
 * npm test -- abuse [--seconds 60] [--quiet 20] [--rounds 2] [--only <words of an attack>]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gatewayAt, OPERATOR_TOKEN } from '../../conformance/gateway-access.ts';
import { launch } from '../../conformance/launch.ts';
import { endWithUs, makeTemporaryFolder } from '../../services/cleanup.ts';
import { stopProcess } from '../../services/processes.ts';
import { startEventRecorder } from '../traffic/event-recorder.ts';
import { add, examine, isClean, NOTHING_FOUND, summarize } from '../traffic/examine.ts';
import { type BusyNumber, linkBusyNumber } from '../traffic/number.ts';
import type { AttackOrder, Outcomes } from './attack-process.ts';
import { prepareAttacker } from './attacker.ts';
import { ATTACKS, type Target } from './attacks.ts';
import { boundMemory } from './memory.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    quiet: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});
const attackMs = Number(values.seconds) * 1_000;
const quietMs = Number(values.quiet) * 1_000;
const rounds = Number(values.rounds);
const NUMBERS = 6;
/** Attackers above this count get a process of their own. */
const MANY = 10;
/** A number may send once a second. A faster one would measure that limit instead of the gateway. */
const BETWEEN_SENDS_MS = 1_100;
const BOUND_MB = 512;
const HEAP_MB = 320;
const SLOWER_AT_MOST = 5;
/** With fewer, one pause of the machine is the whole percentile. */
const SENDS_TO_JUDGE = 200;
const MORE_MEMORY_AT_MOST = 1.2;
const WARM_UP_MS = 5_000;
/** Time for memory to be released. */
const REST_MS = 60_000;

const folder = makeTemporaryFolder('parley-abuse-');
const common = { PARLEY_PORT: '0', PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_LOG_LEVEL: 'error' };
const recorder = await startEventRecorder();
const sandbox = await launch('sandbox', { ...common, PARLEY_DATA_DIR: join(folder.path, 'network') });
const { child, url } = await launch('start', {
  ...common,
  PARLEY_DATA_DIR: join(folder.path, 'gateway'),
  PARLEY_SANDBOX_URL: sandbox.url,
  PARLEY_COMPAT: 'evolution',
  NODE_OPTIONS: `--max-old-space-size=${HEAP_MB} --max-semi-space-size=16`,
});
const gateway = gatewayAt([url]);
const network = gatewayAt([sandbox.url]);
const memory = boundMemory(child, BOUND_MB, () => {
  console.log(`The gateway was killed: it took more than ${BOUND_MB} MB.`);
  process.exit(1);
});
const urls = { status_url: recorder.url, messages_url: recorder.url, events_url: recorder.url };

/** Acceptance times of sends during `work`. */
async function acceptedWhile(fleet: readonly BusyNumber[], work: () => Promise<unknown>): Promise<number[]> {
  const before = fleet.map(({ accepted }) => accepted.length);
  const stop = new AbortController();
  const talking = fleet.map((number) => number.keepTalking(stop.signal, BETWEEN_SENDS_MS));
  await work();
  stop.abort();
  await Promise.all(talking);
  return fleet.flatMap(({ accepted }, place) => accepted.slice(before[place]).map(({ ms }) => ms));
}

/** From several processes: a single one would be busy with its own sockets. */
async function attack(target: Target): Promise<Outcomes> {
  const named = ATTACKS.filter(({ name }) => name.includes(values.only));
  const groups = Map.groupBy(named, ({ name, parallel }) => (parallel > MANY ? name : 'others'));
  const outcomes = [...groups.values()].map(async (attacks) => {
    const attacker = endWithUs(fork(join(import.meta.dirname, 'attack-process.ts')));
    attacker.send({ target, names: attacks.map(({ name }) => name) } satisfies AttackOrder);
    await sleep(attackMs);
    const ended = once(attacker, 'message');
    attacker.send('stop');
    return (await ended)[0] as Outcomes;
  });
  return Object.assign({}, ...(await Promise.all(outcomes)));
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0;
}

/** Memory is released lazily, so this waits for it. */
async function memoryAtRest(mostMb: number): Promise<number> {
  for (let waited = 0; waited < REST_MS && memory.now() > mostMb; waited += 1_000) await sleep(1_000);
  return memory.now();
}

function shown(outcomes: Outcomes): string {
  const lines = Object.entries(outcomes).map(([name, counts]) => {
    const answers = Object.entries(counts).map(([answer, count]) => `${count} × ${answer}`);
    return `  ${name}: ${answers.join(', ')}`;
  });
  return lines.join('\n');
}

/** Runs each attack once, alone: code loaded for it stays in memory. */
async function warmUp(target: Target): Promise<void> {
  for (const { attempt } of ATTACKS) await attempt(target, AbortSignal.timeout(WARM_UP_MS));
}

interface Round {
  readonly quiet: readonly number[];
  readonly attacked: readonly number[];
  /** Megabytes in use before the first attack. */
  readonly beforeMb: number;
  readonly hasHeld: boolean;
}

async function survive(target: Target, firstMb: number | undefined): Promise<Round> {
  const fleet = await Promise.all(
    Array.from({ length: NUMBERS }, () => linkBusyNumber(gateway, network, urls)),
  );
  const quiet = await acceptedWhile(fleet, () => sleep(quietMs));
  const beforeMb = firstMb ?? memory.now();
  memory.takePeak();
  let outcomes: Outcomes = {};
  const attacked = await acceptedWhile(fleet, async () => {
    outcomes = await attack(target);
  });
  const peak = memory.takePeak();
  const most = beforeMb * MORE_MEMORY_AT_MOST;
  const leftMb = await memoryAtRest(most);
  const found = (await Promise.all(fleet.map((number) => examine(network, number, recorder)))).reduce(
    add,
    NOTHING_FOUND,
  );
  console.log(shown(outcomes));
  console.log(
    `memory: ${beforeMb.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most, ${leftMb.toFixed(0)} MB after`,
  );
  console.log(summarize(`${values.seconds} s of attack`, found));
  return { quiet, attacked, beforeMb, hasHeld: isClean(found) && leftMb <= most };
}

/** Over all rounds together: with more sends one pause of the machine weighs less. */
function areSendsFastEnough(quiet: readonly number[], attacked: readonly number[]): boolean {
  const [inQuiet, underAttack] = [percentile(quiet, 0.99), percentile(attacked, 0.99)];
  console.log(
    `p99 of an accept: ${inQuiet.toFixed(1)} ms in quiet (${quiet.length}), ${underAttack.toFixed(1)} ms under attack (${attacked.length}), ` +
      `${(underAttack / inQuiet).toFixed(1)} times`,
  );
  if (Math.min(quiet.length, attacked.length) < SENDS_TO_JUDGE) {
    console.log(`(judged from ${SENDS_TO_JUDGE} sends on)`);
    return true;
  }
  return underAttack <= inQuiet * SLOWER_AT_MOST;
}

let hasHeld = false;
try {
  const target = await prepareAttacker(gateway, network);
  await warmUp(target);
  const survived: Round[] = [];
  for (let round = 0; round < rounds; round++) survived.push(await survive(target, survived[0]?.beforeMb));
  hasHeld =
    areSendsFastEnough(
      survived.flatMap(({ quiet }) => quiet),
      survived.flatMap(({ attacked }) => attacked),
    ) && survived.every((round) => round.hasHeld);
} finally {
  memory.stop();
  await Promise.all([child, sandbox.child].map((each) => stopProcess(each, 'SIGTERM')));
  recorder.close();
  folder.remove();
}
process.exitCode = hasHeld ? 0 : 1;
