import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSystemClock } from '@parley/gateway/kernel';
import { offer } from '../remote.ts';

/**
 * Receivers in a process of their own: every path is one. They answer 200 at once, except the black holes, which never answer. On
 * plain sockets: a whole HTTP server would take as long as the measured delivery, and both share the machine.
 */
const clock = createSystemClock();
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const LENGTH = 'content-length: ';
let received = 0;
let latencies: { readonly path: string; readonly ms: number }[] = [];
const holes = new Set<string>();
const connections = new Set<Socket>();

const server = createServer((socket) => {
  let arrived = '';
  connections.add(socket);
  socket.once('close', () => connections.delete(socket));
  // A deliverer that ends resets its connections.
  socket.on('error', () => {});
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    arrived += chunk;
    const bodyAt = arrived.indexOf('\r\n\r\n') + 4;
    if (bodyAt < 4) return;
    const lengthAt = arrived.indexOf(LENGTH) + LENGTH.length;
    if (arrived.length < bodyAt + Number.parseInt(arrived.slice(lengthAt, lengthAt + 8), 10)) return;
    const request = arrived;
    arrived = '';
    receive(socket, request, bodyAt);
  });
});

function receive(socket: Socket, request: string, bodyAt: number): void {
  received++;
  const [, path = ''] = request.slice(0, request.indexOf('\r\n')).split(' ');
  if (holes.has(path)) return;
  const sentAt = /"text":"sent (\d+)/.exec(request.slice(bodyAt))?.[1];
  if (sentAt) latencies.push({ path, ms: clock.now() - Number(sentAt) });
  socket.write(ANSWER, 'latin1');
}

const calls = {
  async start(): Promise<string> {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  makeHoles(paths: readonly string[]): void {
    holes.clear();
    for (const path of paths) holes.add(path);
    for (const connection of connections) connection.destroy();
  },
  received: () => received,
  /** Milliseconds from event to every receiver but one, since the last call; for events that contain their time. */
  takeLatencies(besides: string): number[] {
    const taken = latencies;
    latencies = [];
    return taken.filter(({ path }) => path !== besides).map(({ ms }) => ms);
  },
};
export type ReceiverCalls = typeof calls;
offer(calls);
