import fastJsonStringify from 'fast-json-stringify';
import type { FastifySchema, FastifySerializerCompiler } from 'fastify';

type Stringify = (value: unknown) => string;

/**
 * Answers are written by their schema, which is faster than JSON.stringify and lets nothing out that the contract does not name.
 * The writer is compiled with the first answer: a gateway that starts needs none of them yet.
 */
export const compileSerializer: FastifySerializerCompiler<FastifySchema> = ({ schema }) => {
  let stringify: Stringify | undefined;
  return (value) => {
    stringify ??= fastJsonStringify(schema as object);
    return stringify(value);
  };
};
