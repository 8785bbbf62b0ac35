import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance, FastifyRequest, FastifySchema, FastifySerializerCompiler } from 'fastify';
import { fault } from '#kernel';

/** An empty body is no body, whatever type it claims to have; anything else must be JSON and must not smuggle prototypes. */
export function parseJsonStrictly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined);
    else if (text.includes('\\u0000')) parse(request, text, refusingNul(done));
    else parse(request, text, done);
  });
  server.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, text, done) => {
    done(text.length === 0 ? null : fault('content_type_not_json'), undefined);
  });
}

export function refuseNulInUrl({ url }: FastifyRequest): void {
  if (url.includes('%00')) throw fault('invalid_field', { text: 'path and query must not contain NUL' });
}

type Done = (error: Error | null, body?: unknown) => void;

/** No text on this network holds a NUL, and PostgreSQL cannot store one. */
function refusingNul(done: Done): Done {
  return (error, body) => {
    if (error === null && holdsNul(body)) done(fault('invalid_field', { text: 'body must not contain NUL' }));
    else done(error, body);
  };
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, field]) => holdsNul(key) || holdsNul(field));
}

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
