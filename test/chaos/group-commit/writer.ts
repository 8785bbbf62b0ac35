import { openLedger } from './ledger.ts';
import { writeEntry } from './write-commands.ts';

/** Writes entries from many concurrent callers and prints each number as soon as it is acknowledged, until it is killed. */
const [url = '', round = ''] = process.argv.slice(2);
const CALLERS = 64;

const store = await openLedger(url);
let last = 0;

async function keepWriting(): Promise<never> {
  for (;;) {
    last += 1;
    const acknowledged = await store.run(writeEntry, { round: Number(round), number: last });
    process.stdout.write(`${acknowledged}\n`);
  }
}

await Promise.all(Array.from({ length: CALLERS }, keepWriting));
