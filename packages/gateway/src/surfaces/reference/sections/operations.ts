import {
  errorsOf,
  type Feature,
  type Operation,
  operations,
  PLANS,
  planIncludes,
  SEND_KINDS,
  type SendKindName,
  sampleError,
  successStatus,
  successStatuses,
  type Tag,
} from '@parley/contract';
import {
  type Entry,
  fieldGroup,
  jsonPanel,
  methodBadge,
  panel,
  type Section,
  statusBadge,
  table,
} from '../components.ts';
import { type Child, type Html, html } from '../html.ts';
import { exampleAnswer } from '../model/examples.ts';
import { fieldsOf } from '../model/fields.ts';
import { capitalized, enumerate, prose } from '../prose.ts';
import { canBeTried, languagesOf } from '../snippets/languages.ts';
import { curlOf } from '../snippets/request.ts';

/** Introduction of each tag's section. */
const LEADS: Record<Tag, Html> = {
  Pairing: html`<p>Link a number to your account. Start with a code or a QR code, then poll until it is paired:</p>
<p class="flow"><code>pending</code> → <code>qr</code> or <code>code</code> → <code>paired</code></p>`,
  Sessions: html`<p>Linked numbers: their state, typing, presence and calls. The gateway reconnects after a drop; a session
that was unlinked on the phone is <code>logged_out</code> and has to be paired again.</p>`,
  Groups: html`<p>Groups that the number is a member of. Most changes need an admin of the group.</p>`,
  'Contacts and profile': html`<p>People the number knows, their photos, its own About text and its blocklist.</p>`,
  Chats: html`<p>How the owner of the number sees chats and messages, on the phone and all linked devices. Other people do not learn of it.</p>`,
  Channels: html`<p>Broadcast channels, which the network calls newsletters. Posting needs an admin of the channel.</p>`,
  Messages: html`<p>A send is queued durably and answered at once. Events report its progress:</p>
<p class="flow"><code>accepted</code> → <code>sent</code> → <code>delivered</code> → <code>read</code></p>`,
  Media: html`<p>Upload a file and send it once or many times. Files are stored encrypted, for a limited time.</p>`,
  Webhooks: html`<p>Where the <a href="#events">events</a> of a number go, and the outcome of each delivery. One configuration per number.</p>`,
  Events: html`<p>The same <a href="#events">payloads</a> as webhooks, for integrators without a public address: fetched instead of
pushed.</p>`,
  'Terms of service': html`<p>Which version awaits acceptance.</p>`,
  Operator: html`<p>For the operator of the gateway: accounts, keys, numbers, terms and invoices. The token is the setting
<code>PARLEY_OPERATOR_TOKEN</code>; without one this surface answers ${statusBadge(404)}.</p>`,
  Portal: html`<p>Used by the pages of the portal.</p>`,
  Health: html`<p>For load balancers and monitoring. Public, without a key.</p>`,
};

const TITLES: Partial<Record<Tag, string>> = {
  Events: 'Pull and stream',
  Operator: 'Operator API',
};

/** Sections of the given surface, one per tag, in the order of the contract. */
export function operationSections(surfaces: readonly Operation['surface'][], baseUrl: string): Section[] {
  const chosen = Object.values<Operation>(operations).filter(({ surface }) => surfaces.includes(surface));
  return [...Map.groupBy(chosen, ({ tag }) => tag)].map(([tag, tagged]) => ({
    id: sectionId(tag),
    title: TITLES[tag] ?? tag,
    lead: LEADS[tag],
    entries: tagged.map((operation) =>
      operation.id === operations.sendMessage.id ? sendEntry(baseUrl) : operationEntry(operation, baseUrl),
    ),
  }));
}

function sectionId(tag: Tag): string {
  return (TITLES[tag] ?? tag).toLowerCase().replaceAll(' ', '-');
}

function operationEntry(operation: Operation, baseUrl: string): Entry {
  return {
    ...operationFrame(operation, fieldGroup('Body', fieldsOf(operation.body), 'request')),
    samples: [
      panel({
        title: 'Request',
        language: 'shell',
        code: curlOf(operation, { baseUrl }),
        marks: marksOf(operation, operation.id),
      }),
      ...answerSamples(operation),
    ],
  };
}

/** Entry of an operation, around a body that the caller renders. */
function operationFrame(operation: Operation, body: Child): Omit<Entry, 'samples'> {
  const { id, summary, method, path, description, params, query, headers } = operation;
  return {
    id,
    title: summary,
    method,
    text: html`<p class="endpoint">${methodBadge(method)} <code>${breakable(path)}</code></p>
${description && prose(description)}
${needsOf(operation)}
${fieldGroup('Path', fieldsOf(params), 'request')}
${fieldGroup('Query', fieldsOf(query), 'request')}
${fieldGroup('Headers', fieldsOf(headers), 'request')}
${body}
${answerFields(operation)}
${errorDetails(operation)}`,
  };
}

/** Lets a long path break only after slashes. */
function breakable(path: string): Html[] {
  return path.split('/').map((part, index) => html`${index > 0 && html`/<wbr>`}${part}`);
}

function needsOf(operation: Operation): Html | undefined {
  const { permission, feature, sessionMustBe, limits } = operation;
  const needs: [string, Child][] = [];
  if (permission !== undefined && permission !== 'none')
    needs.push(['Permission', html`<code>${permission}</code>`]);
  if (feature !== undefined) needs.push(['Plan', plansWith(feature)]);
  if (sessionMustBe !== undefined) needs.push(['Session', SESSION_STATES[sessionMustBe]]);
  if (limits.includes('send')) needs.push(['Counts as', html`<a href="#limits">a send</a>`]);
  else if (limits.includes('network_action'))
    needs.push(['Counts as', html`<a href="#limits">an action in parallel</a>`]);
  return needs.length === 0
    ? undefined
    : html`<dl class="needs">${needs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const SESSION_STATES = { online: 'connected', linked: 'connected or reconnecting' };

function plansWith(feature: Feature): string {
  const plans = PLANS.filter((plan) => planIncludes(plan, feature));
  return plans.length === PLANS.length ? 'every plan' : enumerate(plans.map(capitalized));
}

function answerFields(operation: Operation): Child {
  const ordinary = successStatus(operation);
  return successStatuses(operation).map((status) => {
    const title = status === ordinary ? 'Answer' : `Answer ${status}`;
    return fieldGroup(title, fieldsOf(operation.answers[status] ?? undefined), 'answer');
  });
}

function answerSamples(operation: Operation): Html[] {
  return successStatuses(operation).map((status) => answerSample(operation, status));
}

function answerSample(operation: Operation, status: number): Html {
  const title = html`Answer ${statusBadge(status)}`;
  const example = exampleAnswer(operation, status);
  if (example !== undefined) return jsonPanel(title, example);
  const words = operation.answerType ? html`<code>${operation.answerType}</code>` : 'No body';
  return html`<figure class="panel"><figcaption>${title}</figcaption><p class="no-body">${words}</p></figure>`;
}

function errorDetails(operation: Operation): Html | undefined {
  const errors = errorsOf(operation)
    .map(sampleError)
    .sort((a, b) => a.status - b.status);
  if (errors.length === 0) return undefined;
  const statuses = new Set(errors.map(({ status }) => status));
  return html`<details class="errors"><summary>Errors ${[...statuses].map((status) => html`${statusBadge(status)} `)}</summary>
${table(
  ['Status', 'Text'],
  errors.map(({ status, text }) => [statusBadge(status), html`<code>${text}</code>`]),
)}</details>`;
}

const { sendMessage } = operations;
/** Shared by every kind of message, so they are documented once. */
const SHARED_FIELDS = new Set(['session_id', 'to']);

/** The send operation: the shared fields, then each kind with its own fields and example. */
function sendEntry(baseUrl: string): Entry {
  const kinds = Object.keys(SEND_KINDS) as SendKindName[];
  const shared = fieldsOf(SEND_KINDS.text.schema).filter(({ name }) => SHARED_FIELDS.has(name));
  const body = html`${fieldGroup('Body of every kind', shared, 'request')}
<section class="field-group"><h4>Kinds of message</h4>
<ul class="kinds">${kinds.map((kind) => html`<li><a href="#${anchor(kind)}">${SEND_KINDS[kind].summary}</a></li>`)}</ul></section>`;
  return {
    ...operationFrame(sendMessage, body),
    samples: [curlPanel('text', baseUrl, sendMessage.id), ...answerSamples(sendMessage)],
    parts: kinds.map((kind) => kindPart(kind, baseUrl)),
  };
}

function kindPart(kind: SendKindName, baseUrl: string): Entry {
  const { summary, description, schema } = SEND_KINDS[kind];
  const own = fieldsOf(schema).filter(({ name }) => !SHARED_FIELDS.has(name));
  return {
    id: anchor(kind),
    title: summary,
    text: html`${description && prose(description)}
<dl class="needs"><div><dt>Plan</dt><dd>${plansWith(kind)}</dd></div></dl>
${fieldGroup('Body', own, 'request')}`,
    samples: curlPanel(kind, baseUrl, anchor(kind)),
  };
}

function curlPanel(kind: SendKindName, baseUrl: string, address: string) {
  const code = curlOf(sendMessage, { baseUrl, body: SEND_KINDS[kind].example });
  const marks = marksOf(sendMessage, address);
  return panel({ title: SEND_KINDS[kind].summary, language: 'shell', code, marks });
}

/** Attributes by which the script finds this example in other languages, and whether it can be sent from the page. */
function marksOf(operation: Operation, address: string): Html {
  const languages = languagesOf(operation).join(',');
  return html` data-example="${address}" data-languages="${languages}"${canBeTried(operation) && html` data-try`}`;
}

function anchor(kind: SendKindName): string {
  return `${sendMessage.id}-${kind}`;
}
