import { connect, type Socket } from 'node:net';
import { createSystemClock } from '../../packages/gateway/src/kernel/index.ts';
import { offer } from '../lib/remote.ts';
import { cpuSeconds } from '../lib/usage.ts';

/** Who sends: a number with the key of its account. */
export interface Sender {
  readonly sessionId: string;
  readonly key: string;
}

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly accepted: number;
  readonly refused: number;
  readonly perSecond: number;
  readonly p50Ms: number;
}

/**
 * Clients that send as fast as they are answered, each message from another number and under a key of its own. Written on bare sockets:
 * a whole HTTP client would cost more than the server that is measured.
 */
const clock = createSystemClock();
let senders: readonly Sender[] = [];
let sent = 0;

function nextRequest(): string {
  const sender = senders[sent % senders.length];
  sent += 1;
  const body = JSON.stringify({
    session_id: sender?.sessionId,
    to: '15550002001',
    text: `Message ${sent} `.padEnd(300, 'x'),
  });
  return [
    'POST /v1/messages HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${sender?.key}`,
    `Idempotency-Key: bench-${process.pid}-${sent}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/** Asks again and again on one connection until the time is over. */
async function drive(port: number, until: number, note: (status: number, ms: number) => void): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.setEncoding('latin1');
  while (clock.monotonic() < until) {
    const asked = clock.monotonic();
    socket.write(nextRequest());
    note(await statusOf(socket), clock.monotonic() - asked);
  }
  socket.destroy();
}

function statusOf(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const read = (chunk: string): void => {
      answer += chunk;
      const bodyAt = answer.indexOf('\r\n\r\n') + 4;
      if (bodyAt < 4) return;
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1]);
      if (answer.length < bodyAt + length) return;
      socket.off('data', read);
      socket.off('error', reject);
      resolve(Number(answer.slice(9, 12)));
    };
    socket.on('data', read);
    socket.once('error', reject);
  });
}

const calls = {
  prepare(all: readonly Sender[]): void {
    senders = all;
  },
  async load({ url, connections, seconds }: Load): Promise<LoadResult> {
    const port = Number(new URL(url).port);
    const latencies: number[] = [];
    let accepted = 0;
    let refused = 0;
    const started = clock.monotonic();
    const note = (status: number, ms: number): void => {
      latencies.push(ms);
      if (status === 202) accepted += 1;
      else refused += 1;
    };
    const until = started + seconds * 1_000;
    await Promise.all(Array.from({ length: connections }, () => drive(port, until, note)));
    const took = (clock.monotonic() - started) / 1_000;
    latencies.sort((a, b) => a - b);
    return { accepted, refused, perSecond: accepted / took, p50Ms: latencies[latencies.length >> 1] ?? 0 };
  },
  cpuSeconds,
};

export type LoadCalls = typeof calls;

offer(calls);
