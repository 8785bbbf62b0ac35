import { lifeCases } from './life.ts';
import { refusalCases } from './refusals.ts';
import { wordCases } from './words.ts';

/** A story and how it goes; a text that it returns is worth showing. */
export type Cases = Record<string, () => Promise<unknown>>;

export const cases: Cases = { ...lifeCases, ...refusalCases, ...wordCases };
