import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance, FastifyRequest, FastifySchema, FastifySerializerCompiler } from 'fastify';
import { type ApiError, apiError } from '#kernel';
import { readText } from './read.ts';

/** No operation takes more than a dozen levels. */
export const MAX_DEPTH = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const TOO_DEEP = `body must not nest deeper than ${MAX_DEPTH} levels`;

type ParseJson = (
  request: FastifyRequest,
  text: string,
  done: (error: Error | null, body?: unknown) => void,
) => void;

/** An empty body counts as none, whatever its content type; anything else must be JSON without prototype keys. */
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
      done(error ?? (text.length === 0 ? null : apiError('content_type_not_json')), undefined);
    });
  });
}

function strictly(server: FastifyInstance): ParseJson {
  // It answers only through `done`.
  const parse: ParseJson = server.getDefaultJsonParser('error', 'error');
  return (request, text, done) => {
    if (text.length === 0) done(null, undefined);
    else if (isNestedTooDeeply(text)) done(apiError('invalid_field', { text: TOO_DEEP }));
    else if (UNSTORABLE_ESCAPE.test(text)) parse(request, text, refusingUnstorable(done));
    else parse(request, text, done);
  };
}

/** The same for text that was read otherwise. */
export function strictJsonParser(server: FastifyInstance) {
  const parse = strictly(server);
  return (request: FastifyRequest, text: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      parse(request, text, (error, body) => (error ? reject(error) : resolve(body)));
    });
}

export function refuseNulInUrl({ url }: FastifyRequest): void {
  if (url.includes('%00')) throw apiError('invalid_field', { text: 'path and query must not contain NUL' });
}

type Done = (error: Error | null, body?: unknown) => void;

/** Of a NUL, or of an unpaired surrogate: other bytes of the body are UTF-8, and contain neither. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

function refusingUnstorable(done: Done): Done {
  return (error, body) => done(error ?? checkText('body', body) ?? null, body);
}

type Stringify = (value: unknown) => string;

/** One for each schema of the contract, however many servers a process has. */
const serializers = new WeakMap<object, Stringify>();

/**
 * Responses are serialized by their schema, which is faster than JSON.stringify and omits fields outside the contract. The serializer
 * is compiled with the first response, which keeps the start fast.
 */
export const compileSerializer: FastifySerializerCompiler<FastifySchema> =
  ({ schema }) =>
  (value) => {
    const stringify = serializers.get(schema) ?? fastJsonStringify(schema as object);
    serializers.set(schema, stringify);
    return stringify(value);
  };

type UnstorableText = 'NUL' | 'unpaired surrogates';

/**
 * Finds text that the databases store differently, in a value and everything nested in it, field names included. PostgreSQL refuses a
 * NUL. An unpaired surrogate becomes U+FFFD: it reads back as another text, and two different texts may become equal.
 */
function findUnstorableText(value: unknown): UnstorableText | undefined {
  // An explicit stack: a body may be nested deeper than the call stack.
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') {
      if (next.includes('\0')) return 'NUL';
      if (!next.isWellFormed()) return 'unpaired surrogates';
    } else if (typeof next === 'object' && next !== null && !ArrayBuffer.isView(next)) {
      for (const [name, field] of Object.entries(next)) left.push(name, field);
    }
  }
  return undefined;
}

/** Returns an error for a part of a request that contains such text. The error names `part`. */
export function checkText(part: string, value: unknown): ApiError | undefined {
  const found = findUnstorableText(value);
  return found && apiError('invalid_field', { text: `${part} must not contain ${found}` });
}

/** True when JSON nests deeper than MAX_DEPTH: such text takes JSON.parse many times what plain text takes. */
export function isNestedTooDeeply(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
      // `[` and `{`, then `]` and `}`.
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/** Position of the closing quote, or the end of the text. */
function endOfString(json: string, begin: number): number {
  let end = begin;
  do end = json.indexOf('"', end + 1);
  while (end !== -1 && isEscaped(json, end));
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let from = at;
  while (json.charCodeAt(from - 1) === BACKSLASH) from -= 1;
  return (at - from) % 2 === 1;
}
