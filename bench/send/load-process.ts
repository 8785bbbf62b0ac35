import { applyLoad, type Load, type LoadResult, requestText } from '../lib/load.ts';
import { offer } from '../lib/remote.ts';
import { cpuSeconds } from '../lib/usage.ts';

/** Who sends: a number with the key of its account. */
export interface Sender {
  readonly sessionId: string;
  readonly key: string;
}

let senders: readonly Sender[] = [];
let sent = 0;

/** Each message from another number and under a key of its own. */
function nextSend(): string {
  const sender = senders[sent % senders.length];
  sent += 1;
  return requestText({
    method: 'POST',
    path: '/v1/messages',
    headers: {
      Authorization: `Bearer ${sender?.key}`,
      'Idempotency-Key': `bench-${process.pid}-${sent}`,
    },
    body: JSON.stringify({
      session_id: sender?.sessionId,
      to: '15550002001',
      text: `Message ${sent} `.padEnd(300, 'x'),
    }),
  });
}

const calls = {
  prepare(all: readonly Sender[]): void {
    senders = all;
  },
  load: (load: Load): Promise<LoadResult> => applyLoad(load, nextSend),
  cpuSeconds,
};

export type LoadCalls = typeof calls;

offer(calls);
