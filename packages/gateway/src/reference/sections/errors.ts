import { ERRORS, type ErrorCode, type ErrorDefinition, sampleError } from '@parley/contract';
import { jsonPanel, statusBadge, table } from '../components.ts';
import type { Entry } from '../document.ts';
import { type Html, html } from '../html.ts';

/** What a status says, and what a caller does about it. */
const ADVICE: Readonly<Record<number, string>> = {
  400: 'A field is wrong, missing, unknown, or does not fit the others. Correct the request.',
  401: 'The key, token or sign-in is missing or wrong.',
  403: 'Not allowed: terms, suspension, permission, ownership, plan, or the network refuses.',
  404: 'There is no such thing, or it is not yours.',
  405: 'The path exists, the method does not; the Allow header names those that do.',
  408: 'The request took too long to arrive.',
  409: 'The state of the number or the thing does not permit it.',
  413: 'The body is too large.',
  415: 'The body is not declared as JSON.',
  429: 'Too much at once. Wait the seconds in Retry-After; without that header waiting does not help.',
  431: 'The headers are too large.',
  500: 'A bug on our side; the text names the request for whoever reads the log.',
  502: 'The queue, the database or the network could not be reached. Retry, a send with the same Idempotency-Key.',
  503: 'The gateway is starting or stopping. Retry shortly.',
};

export const errorsEntry: Entry = {
  id: 'errors',
  title: 'Errors',
  text: html`<p>Every error on every path has a stable name in the header <code>X-Error-Code</code>, and a sentence in the body. On
4xx correct the request; on 429 wait; on 5xx try again, a send with the same <code>Idempotency-Key</code>.</p>
${table(
  ['Status', 'Meaning'],
  Object.entries(ADVICE).map(([status, advice]) => [statusBadge(Number(status)), advice]),
)}
<details class="errors"><summary>Every error text</summary>${everyError()}</details>`,
  samples: [
    jsonPanel('An error', { error: sampleError('session_not_owned').text }),
    jsonPanel('An unexpected one', { error: sampleError('internal_error').text }),
  ],
};

function everyError(): Html {
  // Not by `localeCompare`, whose first call loads a whole library of languages, at every start.
  const errors = (Object.keys(ERRORS) as ErrorCode[])
    .map(sampleError)
    .sort((a, b) => a.status - b.status || (a.text < b.text ? -1 : 1));
  return table(
    ['Status', 'X-Error-Code', 'Text', 'Retry-After'],
    errors.map(({ code, status, text, retryAfterSeconds }) => [
      statusBadge(status),
      html`<code>${code}</code>`,
      html`<code>${text}</code>${carriesValue(code) && html` <span class="type">for example</span>`}`,
      retryAfterSeconds === undefined ? '' : 'yes',
    ]),
  );
}

function carriesValue(code: ErrorCode): boolean {
  const definition: ErrorDefinition = ERRORS[code];
  return typeof definition.text !== 'string';
}
