import { parseArgs } from 'node:util';
import { medianRatio } from '../lib/median.ts';
import { startRemote } from '../lib/remote.ts';
import { verdict } from '../lib/verdict.ts';
import type { ImportCalls } from './import-process.ts';
import type { InboundCalls } from './inbound-process.ts';
import type { KeepingCalls } from './keeping-process.ts';

/**
 * Cost of a stored history: the speed of a page of 50 out of a million messages, against one out of a thousand; and the rate of
 * incoming messages as committed events, with and without history, in turns, in a whole gateway over the wire. Both per second of
 * the process's processor time, which other work on the machine hardly affects. And the peak growth of a process that imports the
 * history of a phone, from the media server into the database.
 *
 * npm run bench -- history [--messages 1000000] [--rounds 15] [--pages 300] [--inbound 400] [--import-mb 500]
 *
 * npm run bench -- history --only import [--import-mb 500]
 */
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '15' },
    pages: { type: 'string', default: '300' },
    inbound: { type: 'string', default: '400' },
    'import-mb': { type: 'string', default: '500' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const FEW = 1_000;
const LEAST_OF_FEW = 0.9;
const LEAST_OF_OFF = 0.8;
const MOST_MORE_MB = 100;

async function measureKeeping(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const gateway = startRemote<InboundCalls>(new URL('./inbound-process.ts', import.meta.url));
  stack.defer(() => gateway.stop());
  const keeping = startRemote<KeepingCalls>(new URL('./keeping-process.ts', import.meta.url));
  stack.defer(() => keeping.stop());
  const inbound = { on: [] as number[], off: [] as number[] };
  // Round 0 warms up the compilers and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const off = await gateway.call('receiveMessages', false, Number(values.inbound));
    const on = await gateway.call('receiveMessages', true, Number(values.inbound));
    if (round === 0) continue;
    console.log(`round ${round}: incoming ${off.toFixed(0)}/s, kept ${on.toFixed(0)}/s`);
    inbound.off.push(off);
    inbound.on.push(on);
  }

  await keeping.call('fill', 'few', FEW);
  await keeping.call('fill', 'many', Number(values.messages));
  const pages = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const few = await keeping.call('readPages', 'few', Number(values.pages));
    const many = await keeping.call('readPages', 'many', Number(values.pages));
    if (round === 0) continue;
    console.log(
      `round ${round}: pages of ${FEW} ${few.toFixed(0)}/s, of ${values.messages} ${many.toFixed(0)}/s`,
    );
    pages.few.push(few);
    pages.many.push(many);
  }
  verdict({
    name: `pages of 50 out of ${values.messages} of those out of ${FEW}`,
    figure: medianRatio(pages.many, pages.few, Number),
    atLeast: LEAST_OF_FEW,
  });
  verdict({
    name: 'incoming messages that are kept of those that are not',
    figure: medianRatio(inbound.on, inbound.off, Number),
    atLeast: LEAST_OF_OFF,
  });
}

async function measureImport(mb: number): Promise<void> {
  const taking = startRemote<ImportCalls>(new URL('./import-process.ts', import.meta.url), {
    nodeFlags: ['--expose-gc'],
  });
  try {
    const { grownMb, messages, seconds } = await taking.call('takeIn', mb);
    console.log(`${messages} messages of ${mb} MB of history taken in ${seconds.toFixed(0)} s`);
    verdict({
      name: `memory that taking in ${mb} MB of history takes`,
      figure: grownMb,
      unit: 'MB',
      atMost: MOST_MORE_MB,
    });
  } finally {
    await taking.stop();
  }
}

if (values.only !== 'import') await measureKeeping();
await measureImport(Number(values['import-mb']));
