import {
  ERRORS,
  type ErrorCode,
  type ErrorDefinition,
  errorsOf,
  type Operation,
  operations,
  sampleError,
} from '@parley/contract';

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is wrong',
  401: 'Who is asking is not known',
  403: 'Not allowed',
  404: 'Not there',
  405: 'Wrong method',
  408: 'Too slow',
  409: 'Not in this state',
  413: 'Too large',
  415: 'Not JSON',
  429: 'Too much at once',
  431: 'Headers too large',
  500: 'A bug',
  501: 'Not yet',
  502: 'Something behind the gateway',
  503: 'Starting or stopping',
};
/** An error of more operations than this is listed as general. */
const MOST_NAMED = 6;

/** A section per status, and in it one per error text. */
export function errorsPage(): string {
  const errors = (Object.keys(ERRORS) as ErrorCode[]).map(sampleError);
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((a, b) => a - b);
  return `# Errors

Every error has a name and a sentence. The name is in the header \`X-Error-Code\` and stands here behind each text; compare with it. The sentence is for people,
and may carry values; it is part of the interface too.

\`\`\`http
HTTP/1.1 403 Forbidden
X-Error-Code: session_not_owned

{ "error": "session does not belong to this user" }
\`\`\`

On 4xx correct the request. On 429 wait the seconds in \`Retry-After\`. On 5xx repeat, a send with the same \`Idempotency-Key\`. The SDK does
the last two, and gives the name as \`error.code\`.

Every answer has the id of the request in \`X-Request-Id\`, which the gateway's log also has: give it to the operator when you report a problem.
Send your own id in the same header (1 to 64 of A–Z, a–z, 0–9, \`_\` and \`-\`) to use that one.

${statuses
  .map(
    (status) => `## ${status}: ${MEANINGS[status]}

${errors
  .filter((error) => error.status === status)
  .map(({ code, text }) => section(code, text))
  .join('\n\n')}`,
  )
  .join('\n\n')}
`;
}

function section(code: ErrorCode, text: string): string {
  const { text: maker, retryAfterSeconds, advice }: ErrorDefinition = ERRORS[code];
  const notes = [
    `\`${code}\``,
    typeof maker !== 'string' && 'the text varies',
    retryAfterSeconds !== undefined && 'with `Retry-After`',
    whereFrom(code),
  ].filter(Boolean);
  return `### ${text}

${advice}

_${notes.join(' · ')}_`;
}

function whereFrom(code: ErrorCode): string | undefined {
  const named = Object.values<Operation>(operations)
    .filter((operation) => operation.surface !== 'portal' && errorsOf(operation).includes(code))
    .map(({ method, path }) => `\`${method} ${path}\``);
  if (named.length === 0) return undefined;
  return named.length > MOST_NAMED ? `${named.length} operations` : named.join(', ');
}
