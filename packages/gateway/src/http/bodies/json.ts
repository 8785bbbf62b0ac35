import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance, FastifyRequest, FastifySchema, FastifySerializerCompiler } from 'fastify';
import { fault } from '#kernel';
import { readText } from './read.ts';
import { checkText } from './text.ts';

type ParseJson = (
  request: FastifyRequest,
  text: string,
  done: (error: Error | null, body?: unknown) => void,
) => void;

/** An empty body is no body, whatever type it claims to have; anything else must be JSON and must not smuggle prototypes. */
export function parseJsonStrictly(server: FastifyInstance): void {
  const parse = strictly(server);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', (request, body, done) => {
    readText(request, body, (error, text) => {
      if (error) done(error, undefined);
      else parse(request, text, done);
    });
  });
  server.addContentTypeParser('*', (request, body, done) => {
    readText(request, body, (error, text) => {
      done(error ?? (text.length === 0 ? null : fault('content_type_not_json')), undefined);
    });
  });
}

function strictly(server: FastifyInstance): ParseJson {
  // It answers by `done` alone.
  const parse: ParseJson = server.getDefaultJsonParser('error', 'error');
  return (request, text, done) => {
    if (text.length === 0) done(null, undefined);
    else if (UNSTORABLE_ESCAPE.test(text)) parse(request, text, refusingUnstorable(done));
    else parse(request, text, done);
  };
}

/** The same for a text that was read otherwise. */
export function strictJsonParser(server: FastifyInstance) {
  const parse = strictly(server);
  return (request: FastifyRequest, text: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      parse(request, text, (error, body) => (error ? reject(error) : resolve(body)));
    });
}

export function refuseNulInUrl({ url }: FastifyRequest): void {
  if (url.includes('%00')) throw fault('invalid_field', { text: 'path and query must not contain NUL' });
}

type Done = (error: Error | null, body?: unknown) => void;

/** Of a NUL, or of half a character: other bytes of the body are UTF-8, and hold neither. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

function refusingUnstorable(done: Done): Done {
  return (error, body) => done(error ?? checkText('body', body) ?? null, body);
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
