import Type from 'typebox';
import { IsoTime } from '../primitives.ts';
import { named, nullable } from '../schema.ts';

/** Outcomes by which requests are filtered. */
export const REQUEST_OUTCOMES = ['taken', 'refused', 'limited', 'failed'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

export const ApiRequest = named('ApiRequest', {
  id: Type.String({ examples: ['rq_2n9c'] }),
  key_id: Type.String(),
  at: IsoTime,
  method: Type.String({ examples: ['POST'] }),
  path: Type.String({ description: 'Without its query.', examples: ['/v1/messages'] }),
  status: Type.Integer({ examples: [429] }),
  duration_ms: Type.Integer(),
  error: nullable(Type.String(), { description: 'The words of the answer, where it was refused.' }),
  request_id: Type.String(),
});
export type ApiRequest = Type.Static<typeof ApiRequest>;
export const ApiRequestList = named('ApiRequestList', {
  requests: Type.Array(ApiRequest, { description: 'Newest first.' }),
});
