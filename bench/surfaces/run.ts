import { parseArgs } from 'node:util';
import { medianRatio } from '../lib/median.ts';
import { verdict } from '../lib/verdict.ts';
import type { AcceptCalls } from '../send/accept-process.ts';
import { contender, report, speed, start } from '../send/contender.ts';

/**
 * Cost of a compatible interface: sends through the Evolution interface against `POST /v1/messages`, in turns on the same
 * gateway, up to the point where an answer would wait for the network.
 *
 * npm run bench -- surfaces [--rounds 15] [--seconds 1] [--accounts 300]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '1' },
    accounts: { type: 'string', default: '300' },
  },
});
const rounds = Number(values.rounds);
/** Not counted: until the compilers have optimized the code, and every account is cached. */
const WARM_UP_ROUNDS = 4;

const gateway = start<AcceptCalls>('accept');
try {
  const { url, senders } = await gateway.call('startWithEvolution', Number(values.accounts));
  const cpuSeconds = () => gateway.call('cpuSeconds');
  const own = contender('POST /v1/messages', url, cpuSeconds);
  const evolution = contender('sendText of Evolution', url, cpuSeconds);
  await own.load.call(
    'prepare',
    senders.map(({ sessionId, key }) => ({ sessionId, key })),
  );
  await evolution.load.call('prepare', senders);
  const contenders = [own, evolution];
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const each of contenders) {
      const result = await each.round(Number(values.seconds));
      if (round >= 0) each.measured.push(result);
    }
  }
  report(contenders);
  verdict({
    name: 'sendText of Evolution over POST /v1/messages',
    figure: medianRatio(evolution.measured, own.measured, speed),
    atLeast: 0.8,
  });
  await Promise.all(contenders.map(({ load }) => load.stop()));
} finally {
  await gateway.stop();
}
