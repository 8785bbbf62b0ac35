import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LargeAccount } from '../../../packages/sandbox/src/world/fixture-large.ts';
import { inParallel } from '../in-parallel.ts';
import { type Remote, startRemote } from '../remote.ts';
import type { ContenderKind } from './contender.ts';
import type { ContenderCalls } from './contender-process.ts';
import type { SandboxCalls } from './sandbox-process.ts';

type RemoteContender = Remote<ContenderCalls>;

/** A network in a process of its own, and contenders on it, each in a process of its own. */
export interface NetworkHarness {
  addPhones(phones: readonly string[]): Promise<void>;
  /** Enlarges the account of a phone before its link. */
  enlarge(phone: string, account: LargeAccount): Promise<void>;
  /** A new process; links of an earlier one of its kind are available. */
  enter(kind: ContenderKind): Promise<RemoteContender>;
  /** Links the numbers and leaves them logged in. */
  link(contender: RemoteContender, phones: readonly string[]): Promise<void>;
  /** Processor time of the network so far, in seconds. */
  networkCpuSeconds(): Promise<number>;
  strike(): Promise<void>;
}

const LINKS_AT_ONCE = 4;

export async function createNetworkHarness(): Promise<NetworkHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const sandbox = startRemote<SandboxCalls>(new URL('./sandbox-process.ts', import.meta.url));
  const address = await sandbox.call('address');
  const contenders = new Set<RemoteContender>();

  return {
    addPhones: (phones) => sandbox.call('addPhones', phones),
    enlarge: (phone, account) => sandbox.call('enlarge', phone, account),
    networkCpuSeconds: () => sandbox.call('cpuSeconds'),
    async enter(kind) {
      const contender = startRemote<ContenderCalls>(new URL('./contender-process.ts', import.meta.url), {
        nodeFlags: ['--expose-gc'],
      });
      contenders.add(contender);
      await contender.call('start', kind, { address, folder });
      return contender;
    },
    async link(contender, phones) {
      await inParallel(phones, LINKS_AT_ONCE, async (phone) => {
        const qr = await contender.call('showQr', phone);
        await sandbox.call('scan', phone, qr);
        await contender.call('linked', phone);
      });
      await contender.call('logIn', phones);
    },
    async strike() {
      await Promise.all([...contenders, sandbox].map((process) => process.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Unused numbers. */
export function numbersFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(first + index));
}
