import { compileParse } from '@parley/contract';
import type { Reception } from '@parley/sandbox/control';
import Type from 'typebox';
import { fault, faultBecause } from '#kernel';
import { LONGEST_ANSWER_MS, PREFIX, type SandboxClient } from './client.ts';

/** Where a gateway takes what its accounts ask of a virtual network elsewhere. Whatever they ask travels inside the body, never in an address. */
export const VISITS_PATH = `${PREFIX}/visits`;

const closed = { additionalProperties: false };

export const parseVisit = compileParse(
  Type.Object(
    {
      guest: Type.Object(
        { name: Type.String({ minLength: 1 }), sessions: Type.Array(Type.String()) },
        closed,
      ),
      method: Type.Enum(['GET', 'POST', 'PUT'], { type: 'string' }),
      path: Type.String(),
      body: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
);
const parseAnswer = compileParse(Type.Object({ status: Type.Integer(), body: Type.Unknown() }));

export function visitThrough(client: SandboxClient): Reception {
  return async (visit) => {
    const reply = await client
      .ask({
        method: 'POST',
        path: VISITS_PATH,
        contentType: 'application/json',
        body: Buffer.from(JSON.stringify(visit)),
        timeoutMs: LONGEST_ANSWER_MS,
      })
      .catch((error: unknown) => {
        throw faultBecause(error, 'network_unreachable');
      });
    const answer = parseAnswer(reply.status === 200 ? JSON.parse(reply.body.toString()) : undefined);
    if (!answer.ok) throw fault('network_unreachable');
    return answer.value;
  };
}
