import { createSystemClock, systemRandom } from '../../../packages/gateway/src/kernel/index.ts';
import { startSandbox } from '../../../packages/sandbox/src/index.ts';
import { enlarge, type LargeAccount } from '../../../packages/sandbox/src/world/fixture-large.ts';
import { offer } from '../remote.ts';
import { cpuSeconds } from '../usage.ts';
import type { Address } from './contender.ts';

/** The network itself, in a process of its own. Addressed by number, the only address that the bare library has of recipients. */
const { world, pairing, url, rootPublicKey, mediaCaPem, mediaHost } = await startSandbox({
  file: ':memory:',
  clock: createSystemClock(),
  random: systemRandom,
  addressing: 'pn',
  strictAddressing: false,
});

const calls = {
  address: (): Address => ({ url, rootPublicKey, mediaCaPem, mediaHost }),
  addPhones(phones: readonly string[]): void {
    for (const phone of phones) world.phones.create(phone, { name: phone });
  },
  enlarge: (phone: string, account: LargeAccount): void => enlarge(world, phone, account),
  cpuSeconds,
  async scan(phone: string, qr: string): Promise<void> {
    await pairing.scan(phone, qr);
  },
};

export type SandboxCalls = typeof calls;

offer(calls);
