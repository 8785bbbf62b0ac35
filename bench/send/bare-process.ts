import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIds, createSystemClock, systemRandom } from '../../packages/gateway/src/kernel/index.ts';
import { offer } from '../lib/remote.ts';
import { cpuSeconds } from '../lib/usage.ts';

/**
 * The floor: a bare route of Node.js that takes a text and answers 202. It has no authentication, checks only that there is a
 * text, and stores nothing.
 */
const ids = createIds({ clock: createSystemClock(), random: systemRandom });
const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { text } = JSON.parse(Buffer.concat(parts).toString());
  const answer = JSON.stringify({ message_id: ids.message(), status: 'accepted' });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) };
  response.writeHead(typeof text === 'string' ? 202 : 422, headers).end(answer);
});
const { promise: listening, resolve } = Promise.withResolvers<void>();
server.listen(0, '127.0.0.1', resolve);
await listening;

const calls = {
  url: (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  cpuSeconds,
};

export type BareCalls = typeof calls;

offer(calls);
