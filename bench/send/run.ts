import { parseArgs } from 'node:util';
import { measureAccept } from './accept.ts';
import { measureLongQueue, measureWire } from './latency.ts';

/**
 * Cost of a send within the gateway. The contenders take turns in the same run, so that a busy machine slows all of them alike;
 * processor time is less noisy still.
 *
 * npm run bench -- send [--rounds 15] [--seconds 1] [--rows 1000000] [--accounts 600] [--queued 50000]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '1' },
    rows: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '600' },
    queued: { type: 'string', default: '50000' },
  },
});
const rounds = Number(values.rounds);

await measureAccept({
  rounds,
  seconds: Number(values.seconds),
  rows: Number(values.rows),
  accounts: Number(values.accounts),
});
await measureLongQueue({ rounds, queued: Number(values.queued) });
await measureWire({ rounds });
