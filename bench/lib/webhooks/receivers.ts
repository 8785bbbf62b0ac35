import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSystemClock } from '@parley/gateway/kernel';
import { offer } from '../remote.ts';

/** Receivers in a process of their own: every path is one. They answer 200 at once, except the black holes, which never answer. */
const clock = createSystemClock();
let received = 0;
let latencies: number[] = [];
const holes = new Set<string>();

const server = createServer((request, response) => {
  const isHole = holes.has(request.url ?? '');
  let body = '';
  request.setEncoding('latin1');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    received++;
    if (isHole) return;
    const sentAt = /"text":"sent (\d+)/.exec(body)?.[1];
    if (sentAt) latencies.push(clock.now() - Number(sentAt));
    response.end();
  });
});

const calls = {
  async start(): Promise<string> {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  makeHoles(paths: readonly string[]): void {
    holes.clear();
    for (const path of paths) holes.add(path);
    server.closeAllConnections();
  },
  received: () => received,
  /** Milliseconds from event to receiver, since the last call; of events that carry their time. */
  takeLatencies(): number[] {
    const taken = latencies;
    latencies = [];
    return taken;
  },
};
export type ReceiverCalls = typeof calls;
offer(calls);
