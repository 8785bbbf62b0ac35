import Type from 'typebox';
import { named } from '../schema.ts';

export const Health = named('Health', { status: Type.Literal('ok') });
export const Readiness = named('Readiness', { status: Type.Literal('ready') });

export const ErrorAnswer = named('Error', {
  error: Type.String({ description: 'Short description of what went wrong.' }),
});
export type ErrorAnswer = Type.Static<typeof ErrorAnswer>;
