import { parseArgs } from 'node:util';
import type { LoadResult } from '../lib/load.ts';
import { median, medianRatio } from '../lib/median.ts';
import { type Remote, startRemote } from '../lib/remote.ts';
import { verdict } from '../lib/verdict.ts';
import type { LoadCalls } from './load-process.ts';
import type { FloorCalls, Started } from './servers.ts';

/**
 * Cost of the gateway itself: an authenticated, durably committed POST against the same route without a database, and an
 * authenticated GET against a bare Fastify route. All servers run at the same time and take turns of a second, and each turn is
 * compared with the adjacent turn of its floor, so that a slow phase of the machine affects both.
 *
 * npm run bench -- floor [--rounds 15] [--seconds 1]
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const CONNECTIONS = 64;
const TARGET = 0.8;

const bodyOf400Bytes = JSON.stringify({
  session_id: '15550001001:1@s.whatsapp.net',
  to: '15550002001',
  text: 'x'.repeat(400 - 83),
});

await using opened = new AsyncDisposableStack();

function start<C extends FloorCalls | LoadCalls>(file: string): Remote<C> {
  const remote = startRemote<C>(new URL(file, import.meta.url));
  opened.defer(() => remote.stop());
  return remote;
}

/** A route under load. */
async function contender(name: string, { url, key }: Started, method: 'GET' | 'POST') {
  const load = start<LoadCalls>('./load-process.ts');
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {};
  await load.call('prepare', {
    method,
    path: new URL(url).pathname,
    headers,
    ...(method === 'POST' ? { body: bodyOf400Bytes } : {}),
  });
  const measured: LoadResult[] = [];
  return {
    name,
    measured,
    async turn(round: number): Promise<void> {
      const result = await load.call('load', {
        url,
        connections: CONNECTIONS,
        seconds: round === 0 ? 2 : seconds,
      });
      if (result.refused > 0) throw new Error(`${name}: ${result.refused} requests were refused`);
      // Round 0 warms up the compilers and is not counted.
      if (round > 0) measured.push(result);
    },
  };
}

type Contender = Awaited<ReturnType<typeof contender>>;

const bare = await start<FloorCalls>('./servers.ts').call('startBare');
const withoutRows = await start<FloorCalls>('./servers.ts').call('startParley', { keepsRows: false });
const parley = await start<FloorCalls>('./servers.ts').call('startParley', { keepsRows: true });
const barePost = await contender('bare POST', bare, 'POST');
const post = await contender('authenticated POST, no database', withoutRows, 'POST');
const durablePost = await contender('authenticated durable POST', parley, 'POST');
const bareGet = await contender('bare GET', bare, 'GET');
const get = await contender('authenticated GET', parley, 'GET');
const contenders = [barePost, post, durablePost, bareGet, get];

for (let round = 0; round <= rounds; round++) {
  for (const each of contenders) await each.turn(round);
}

function ratio({ measured }: Contender, floor: Contender): number {
  return medianRatio(measured, floor.measured, ({ perSecond }) => perSecond);
}

for (const { name, measured } of contenders) {
  const perSecond = median(measured.map((result) => result.perSecond));
  console.log(`${name.padEnd(32)}${perSecond.toFixed(0).padStart(8)} requests/s`);
}
console.log(`durable POST over a bare POST ${ratio(durablePost, barePost).toFixed(2)}`);
verdict({
  name: 'durable POST over the same route without a database',
  figure: ratio(durablePost, post),
  atLeast: TARGET,
});
verdict({ name: 'authenticated GET over a bare GET', figure: ratio(get, bareGet), atLeast: TARGET });
