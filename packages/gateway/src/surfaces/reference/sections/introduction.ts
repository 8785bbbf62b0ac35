import {
  ERRORS,
  type ErrorCode,
  type ErrorDefinition,
  IDEMPOTENCY_KEY_MAX_LENGTH,
  IDEMPOTENCY_KEY_TTL_SECONDS,
  operations,
  PERMISSIONS,
  SEND_KINDS,
  sampleError,
} from '@parley/contract';
import { sortBy } from '#kernel';
import { type Entry, jsonPanel, panel, type Section, statusBadge, table } from '../components.ts';
import { type Html, html } from '../html.ts';
import { duration } from '../prose.ts';
import { curlOf } from '../snippets/request.ts';
import { limitsEntry, plansEntry } from './limits.ts';

export function introductionSection(baseUrl: string): Section {
  return {
    id: 'introduction',
    title: 'Introduction',
    lead: html`<p>Parley links phone numbers of WhatsApp to your account as secondary devices. A linked number is
a <em>session</em>: it sends on your behalf, and forwards what it receives to your webhooks.</p>`,
    entries: [
      firstRequest(baseUrl),
      authentication(baseUrl),
      identifiers,
      errorsEntry,
      idempotency(baseUrl),
      limitsEntry,
      plansEntry,
    ],
  };
}

function firstRequest(baseUrl: string): Entry {
  return {
    id: 'first-request',
    title: 'First request',
    text: html`<p>Requests and answers are JSON over HTTP. Every path of the API begins with <code>/v1</code>.</p>
<p>Sending is asynchronous: a message is queued durably and answered with ${statusBadge(202)}.
Its outcome arrives as <a href="#event-status"><code>status</code></a> and
<a href="#event-receipt"><code>receipt</code></a> events at your <a href="#webhooks">webhook</a>, or is read with
<a href="#${operations.getMessage.id}">a lookup</a>.</p>
<p>The same interface for machines: <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1 with webhooks, and
<a href="/asyncapi.json">asyncapi.json</a> for the events alone. To try requests
by hand, import the <a href="/docs/parley.postman_collection.json">collection</a> into Postman, Bruno or Insomnia, fill in the key, and run all of it.</p>`,
    samples: [
      panel({ title: 'Base URL', language: 'http', code: baseUrl }),
      panel({
        title: 'Send a message',
        language: 'shell',
        code: curlOf(operations.sendMessage, { baseUrl, body: SEND_KINDS.text.example }),
      }),
    ],
  };
}

function authentication(baseUrl: string): Entry {
  return {
    id: 'authentication',
    title: 'Authentication',
    text: html`<p>Every request to <code>/v1</code> carries an API key of the account as a bearer token. Keys are made and
revoked in the portal, and are shown once. The examples on this page read the key from the shell
variable <code>PARLEY_API_KEY</code>.</p>
<p>A key may be restricted to one number, may expire, and may be limited to some permissions; one without a list has
all of them:</p>
<p class="chips">${PERMISSIONS.map((permission) => html`<code>${permission}</code> `)}</p>
<p>Until the current terms of service are accepted in the portal, every path but
<a href="#${operations.getTerms.id}"><code>GET /v1/tos</code></a> answers ${statusBadge(403)}.</p>`,
    samples: [
      panel({ title: 'Keep the key in your shell', language: 'shell', code: "export PARLEY_API_KEY='pk_…'" }),
      panel({
        title: 'Is the key good?',
        language: 'shell',
        code: curlOf(operations.getTerms, { baseUrl }),
      }),
    ],
  };
}

const identifiers: Entry = {
  id: 'identifiers',
  title: 'Identifiers',
  text: html`<p>People, groups and channels are addressed by their JID. In a path the <code>@</code> of a JID is written
<code>%40</code>. A session id may be given with or without its device suffix.</p>
${table(
  ['Who', 'Shape'],
  [
    ['Person', html`<code>15550002001@s.whatsapp.net</code>`],
    ['Session', html`<code>15550001001:1@s.whatsapp.net</code>, where <code>:1</code> is the linked device`],
    ['Group', html`<code>120363041234567890@g.us</code>`],
    ['Channel', html`<code>120363107654321098@newsletter</code>`],
    ['Member of a group', html`<code>9876543210@lid</code>, which hides the phone number`],
  ],
)}
<p>Where a message is sent <code>to</code> a person, the bare phone number does as well: international form, digits only.</p>`,
};

function idempotency(baseUrl: string): Entry {
  return {
    id: 'idempotency',
    title: 'Idempotency',
    text: html`<p>Every <a href="#${operations.sendMessage.id}">send</a> carries an <code>Idempotency-Key</code> of your choice, at
most ${IDEMPOTENCY_KEY_MAX_LENGTH} characters: an order number, a UUID. For ${duration(IDEMPOTENCY_KEY_TTL_SECONDS)}
the same key with the same body returns the first answer and sends nothing, so after a broken connection or
a ${statusBadge('5xx')} you repeat the request as it was.</p>
<p>The key comes back as <code>request_id</code> in every event about the message. The same key with a different body
is refused, and nothing is sent.</p>`,
    samples: [
      panel({
        title: 'Repeat as often as you like',
        language: 'shell',
        code: curlOf(operations.sendMessage, { baseUrl, body: SEND_KINDS.text.example }),
      }),
      jsonPanel('Always the same answer', { message_id: '3EB0C767D71C5A4F1D2B', status: 'accepted' }),
    ],
  };
}

/** Meaning of a status, and the reaction of a caller. */
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
  500: 'A bug on our side; the text names the request for a search in the log.',
  502: 'The queue, the database or the network could not be reached. Retry, a send with the same Idempotency-Key.',
  503: 'The gateway is starting or stopping. Retry shortly.',
};

const errorsEntry: Entry = {
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
  const byText = sortBy((Object.keys(ERRORS) as ErrorCode[]).map(sampleError), ({ text }) => text);
  const errors = byText.sort((a, b) => a.status - b.status);
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
