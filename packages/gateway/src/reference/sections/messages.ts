import { operations, SEND_KINDS, type SendKindName } from '@parley/contract';
import { fieldGroup } from '../components/field-list.ts';
import { panel } from '../components/panel.ts';
import type { Entry } from '../document.ts';
import { html } from '../html.ts';
import { curlOf } from '../model/curl.ts';
import { fieldsOf } from '../model/fields.ts';
import { prose } from '../prose.ts';
import { answerSample, operationFrame, plansWith } from './operation.ts';

const { sendMessage } = operations;
/** They begin every kind of message, and are told once. */
const SHARED_FIELDS = new Set(['session_id', 'to']);

/** The send operation: what all kinds share, then each kind with its own fields and example. */
export function sendEntry(baseUrl: string): Entry {
  const kinds = Object.keys(SEND_KINDS) as SendKindName[];
  const shared = fieldsOf(SEND_KINDS.text.schema).filter(({ name }) => SHARED_FIELDS.has(name));
  const body = html`${fieldGroup('Body of every kind', shared, 'request')}
<section class="field-group"><h4>Kinds of message</h4>
<ul class="kinds">${kinds.map((kind) => html`<li><a href="#${anchor(kind)}">${SEND_KINDS[kind].summary}</a></li>`)}</ul></section>`;
  return {
    ...operationFrame(sendMessage, body),
    samples: [curlPanel('text', baseUrl), answerSample(sendMessage)],
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
    samples: curlPanel(kind, baseUrl),
  };
}

function curlPanel(kind: SendKindName, baseUrl: string) {
  const code = curlOf(sendMessage, { baseUrl, body: SEND_KINDS[kind].example });
  return panel({ title: SEND_KINDS[kind].summary, language: 'shell', code });
}

function anchor(kind: SendKindName): string {
  return `${sendMessage.id}-${kind}`;
}
