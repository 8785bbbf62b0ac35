import { buildOpenApi, ERRORS, type ErrorCode, type Operation, operations } from '@parley/contract';
import Schema from 'typebox/schema';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

interface Response {
  readonly content?: {
    readonly 'application/json'?: { readonly schema: object; readonly examples?: Record<string, unknown> };
  };
}

/** As an integrator gets it: plain JSON. */
const document = JSON.parse(JSON.stringify(buildOpenApi({ version: '0.0.0', serverUrl: 'http://gateway' })));
const checks = new Map<string, (body: unknown) => boolean>();

/** Fewer parameters first: `/newsletters/follow` is not a channel called follow. */
const served = Object.values<Operation>(operations)
  .filter(({ surface }) => surface === 'v1')
  .map((operation) => ({ operation, parts: operation.path.split('/') }))
  .sort((a, b) => parameters(a.parts) - parameters(b.parts));

function parameters(parts: readonly string[]): number {
  return parts.filter((part) => part.startsWith('{')).length;
}

/** Throws when an answer of `/v1` differs from the OpenAPI document, in status, shape or text. */
export function expectDocumented(seen: Seen): void {
  const operation = operationOf(seen);
  const complaint = operation && complaintAbout(operation, seen);
  if (complaint) {
    throw new Error(`${operation.id} answered ${seen.status} ${JSON.stringify(seen.body)}: ${complaint}`);
  }
}

function complaintAbout(operation: Operation, { status, body }: Seen): string | undefined {
  const { responses } = document.paths[operation.path][operation.method.toLowerCase()];
  const response: Response | undefined = responses[status];
  if (!response) return 'the status is not documented';
  const content = response.content?.['application/json'];
  if (!content) return body === undefined ? undefined : 'a body is not documented';
  if (!checkOf(operation, status, content.schema)(body)) return 'the body has another shape';
  const wordsAreKnown = status < 400 || knownWords(Object.keys(content.examples ?? {}), body);
  return wordsAreKnown ? undefined : 'the words are not documented';
}

function operationOf({ method, path }: Seen): Operation | undefined {
  const asked = path.replace(/\?.*$/, '').split('/');
  return served.find(
    ({ operation, parts }) =>
      operation.method === method &&
      parts.length === asked.length &&
      parts.every((part, at) => part.startsWith('{') || part === asked[at]),
  )?.operation;
}

function checkOf({ id }: Operation, status: number, schema: object): (body: unknown) => boolean {
  const name = `${id} ${status}`;
  const known = checks.get(name);
  if (known) return known;
  const validator = Schema.Compile({ ...schema, components: document.components });
  const check = (body: unknown): boolean => validator.Check(body);
  checks.set(name, check);
  return check;
}

/** An error text with a value in it cannot be compared word for word. */
function knownWords(codes: readonly string[], body: unknown): boolean {
  const { error } = body as { error: string };
  return codes.some((code) => {
    const { text } = ERRORS[code as ErrorCode];
    return typeof text === 'function' || text === error;
  });
}
