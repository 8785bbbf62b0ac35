import { MessageAccepted } from '@parley/contract';
import Fastify from 'fastify';
import Type from 'typebox';
import { createIds, createSystemClock, systemRandom } from '../../packages/gateway/src/kernel/index.ts';
import { offer } from '../lib/remote.ts';
import { cpuSeconds } from '../lib/usage.ts';

/** The floor: a bare Fastify route that takes a text, checks it by its schema and answers 202. It knows nobody and keeps nothing. */
const ids = createIds({ clock: createSystemClock(), random: systemRandom });
const server = Fastify();
const Text = Type.Object({ session_id: Type.String(), to: Type.String(), text: Type.String() });
const schema = { body: Text, response: { 202: MessageAccepted } };
server.post('/v1/messages', { schema }, async (_request, reply) => {
  reply.status(202);
  return { message_id: ids.message(), status: 'accepted' };
});
const url = await server.listen({ host: '127.0.0.1', port: 0 });

const calls = {
  url: (): string => url,
  cpuSeconds,
};

export type BareCalls = typeof calls;

offer(calls);
