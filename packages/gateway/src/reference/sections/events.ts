import {
  CATEGORY_OF_KIND,
  EVENT_CATEGORIES,
  EVENT_KINDS,
  EVENT_SCHEMAS,
  type EventKind,
  operations,
  URL_FIELD_OF_CATEGORY,
  WEBHOOK_ATTEMPTS,
  WEBHOOK_HEADERS,
  WEBHOOK_RETRY_DELAYS_SECONDS,
  WEBHOOK_TIMEOUT_SECONDS,
} from '@parley/contract';
import { fieldGroup } from '../components/field-list.ts';
import { jsonPanel } from '../components/panel.ts';
import { table } from '../components/table.ts';
import type { Entry, Section } from '../document.ts';
import { html } from '../html.ts';
import { exampleOf } from '../model/examples.ts';
import { fieldsOf } from '../model/fields.ts';
import type { JsonSchema } from '../model/schema.ts';
import { duration, enumerate, prose } from '../prose.ts';
import { signatureEntry } from './signature.ts';

export function eventsSection(): Section {
  return {
    id: 'events',
    title: 'Webhook events',
    lead: html`<p>Whatever happens to a number is sent as a POST request with a JSON body to the URLs of its
<a href="#${operations.createWebhook.id}">webhook</a>. <code>kind</code> tells what it is.</p>`,
    entries: [delivery(), signatureEntry(), ...EVENT_KINDS.map(eventEntry)],
  };
}

function delivery(): Entry {
  const delays = WEBHOOK_RETRY_DELAYS_SECONDS.map(duration);
  return {
    id: 'delivery',
    title: 'Delivery',
    text: html`<p>Events come in four categories, each with a URL of its own; a category without a URL is not sent.</p>
${table(
  ['URL', 'Kinds'],
  EVENT_CATEGORIES.map((category) => [
    html`<code>${URL_FIELD_OF_CATEGORY[category]}</code>`,
    EVENT_KINDS.filter((kind) => CATEGORY_OF_KIND[kind] === category).map(
      (kind) => html`<a href="#${anchor(kind)}"><code>${kind}</code></a> `,
    ),
  ]),
)}
<p>Answer with any 2xx within ${duration(WEBHOOK_TIMEOUT_SECONDS)}; a redirect counts as a failure. There are
${WEBHOOK_ATTEMPTS} attempts: at once, then after about ${enumerate(delays)}. After the last one the delivery is
dead: it stays in the <a href="#${operations.listDeliveries.id}">delivery log</a> and can be
<a href="#${operations.redeliver.id}">delivered once more</a>.</p>
<p>The same event may arrive more than once: deduplicate on <code>${WEBHOOK_HEADERS.messageId}</code>, which stays the same on
every attempt. Stored copies keep no content: texts, captions, media, polls and places are replaced by a marker such
as <code>[redacted: 18 bytes]</code>.</p>`,
  };
}

function eventEntry(kind: EventKind): Entry {
  const schema: JsonSchema = EVENT_SCHEMAS[kind];
  return {
    id: anchor(kind),
    title: kind,
    text: html`${schema.description && prose(schema.description)}
<dl class="needs"><div><dt>Sent to</dt><dd><code>${URL_FIELD_OF_CATEGORY[CATEGORY_OF_KIND[kind]]}</code></dd></div></dl>
${fieldGroup('Payload', fieldsOf(schema), 'answer')}`,
    samples: jsonPanel(html`Event <code>${kind}</code>`, exampleOf(schema)),
  };
}

function anchor(kind: EventKind): string {
  return `event-${kind}`;
}
