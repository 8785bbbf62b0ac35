import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createNetworkHarness } from '../lib/network/harness.ts';
import type { PeakMemory } from '../lib/usage.ts';
import { verdict } from '../lib/verdict.ts';

/**
 * Peak memory of linking an account: a new one, and an old and large one. Each is linked in a process of its own, which is
 * measured until everything from the phone is stored.
 *
 * npm run bench -- account [--contacts 20000] [--groups 2000] [--megabytes 50]
 */
const { values } = parseArgs({
  options: {
    contacts: { type: 'string', default: '20000' },
    groups: { type: 'string', default: '2000' },
    megabytes: { type: 'string', default: '50' },
  },
});
const MB = 1024 ** 2;
const POLL_MS = 500;
const MOST_MORE_MB = 80;
const large = {
  contacts: Number(values.contacts),
  groups: Number(values.groups),
  historyBytes: Number(values.megabytes) * MB,
};
const PHONE = '15551000001';

const few = await peakOf({ contacts: 20, groups: 2, historyBytes: 10_000 });
const many = await peakOf(large);
for (const [name, { held, rss }] of Object.entries({ 'new account': few, 'large account': many })) {
  console.log(
    `${name.padEnd(13)} ${(held / MB).toFixed(0)} MB held at most, ${(rss / MB).toFixed(0)} MB of process`,
  );
}
verdict({
  name: 'memory that a large account takes more than a new one',
  figure: (many.held - few.held) / MB,
  unit: 'MB',
  atMost: MOST_MORE_MB,
});

async function peakOf(account: typeof large): Promise<PeakMemory> {
  const harness = await createNetworkHarness();
  try {
    await harness.addPhones([PHONE]);
    await harness.enlarge(PHONE, account);
    const contender = await harness.enter('parley');
    await contender.call('watchMemory');
    await harness.link(contender, [PHONE]);
    while ((await contender.call('contactsOf', PHONE)) < account.contacts) await sleep(POLL_MS);
    // Names come with the history, the address book and the push names: all of them are stored once the journal is empty.
    await contender.call('close');
    return await contender.call('peakMemory');
  } finally {
    await harness.strike();
  }
}
