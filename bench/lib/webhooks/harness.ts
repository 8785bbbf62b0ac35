import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Remote, startRemote } from '../remote.ts';
import type { DelivererCalls } from './deliverer.ts';
import type { ReceiverCalls } from './receivers.ts';

/** Receivers, and processes that deliver to them from one folder. */
export interface WebhookHarness {
  readonly receivers: Remote<ReceiverCalls>;
  /** One after the other: a data directory belongs to one process. */
  startDeliverer(): Remote<DelivererCalls>;
  /** URLs of so many receivers. */
  urls(count: number): string[];
  strike(): Promise<void>;
}

export async function createWebhookHarness(): Promise<WebhookHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-webhooks-'));
  const receivers = startRemote<ReceiverCalls>(new URL('./receivers.ts', import.meta.url));
  const base = await receivers.call('start');
  return {
    receivers,
    startDeliverer: () =>
      startRemote<DelivererCalls>(new URL('./deliverer.ts', import.meta.url), {
        args: [folder],
        nodeFlags: ['--expose-gc'],
      }),
    urls: (count) => Array.from({ length: count }, (_, receiver) => `${base}/hook-${receiver}`),
    async strike() {
      await receivers.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
