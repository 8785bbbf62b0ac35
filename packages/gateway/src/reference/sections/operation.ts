import {
  errorsOf,
  type Feature,
  type Operation,
  PLANS,
  planIncludes,
  sampleError,
  successStatus,
} from '@parley/contract';
import { fieldGroup } from '../components/field-list.ts';
import { jsonPanel, panel } from '../components/panel.ts';
import { statusBadge } from '../components/status.ts';
import { table } from '../components/table.ts';
import { type Entry, methodBadge } from '../document.ts';
import { type Child, type Html, html } from '../html.ts';
import { curlOf } from '../model/curl.ts';
import { exampleAnswer } from '../model/examples.ts';
import { fieldsOf } from '../model/fields.ts';
import { capitalized, enumerate, prose } from '../prose.ts';

export function operationEntry(operation: Operation, baseUrl: string): Entry {
  return {
    ...operationFrame(operation, fieldGroup('Body', fieldsOf(operation.body), 'request')),
    samples: [
      panel({ title: 'Request', language: 'shell', code: curlOf(operation, { baseUrl }) }),
      answerSample(operation),
    ],
  };
}

/** All of an operation's words, around a body that is told in its own way. */
export function operationFrame(operation: Operation, body: Child): Omit<Entry, 'samples'> {
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

/** Lets a long path break behind its slashes and nowhere else. */
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

export function plansWith(feature: Feature): string {
  const plans = PLANS.filter((plan) => planIncludes(plan, feature));
  return plans.length === PLANS.length ? 'every plan' : enumerate(plans.map(capitalized));
}

function answerFields(operation: Operation): Html {
  const schema = operation.answers[successStatus(operation)] ?? undefined;
  return fieldGroup('Answer', fieldsOf(schema), 'answer');
}

export function answerSample(operation: Operation): Html {
  const status = successStatus(operation);
  const title = html`Answer ${statusBadge(status)}`;
  const example = exampleAnswer(operation);
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
