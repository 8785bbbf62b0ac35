import {
  EVENT_CATEGORIES,
  EVENT_KINDS,
  EVENT_SCHEMAS,
  EVENTS,
  type EventKind,
  eventKindsOf,
  operations,
  SIGNATURE_TOLERANCE_SECONDS,
  URL_FIELD_OF_CATEGORY,
  WEBHOOK_ATTEMPTS,
  WEBHOOK_HEADERS,
  WEBHOOK_RETRY_DELAYS_SECONDS,
  WEBHOOK_TIMEOUT_SECONDS,
} from '@parley/contract';
import {
  type Entry,
  fieldGroup,
  jsonPanel,
  panel,
  panelTabs,
  type Section,
  statusBadge,
  table,
} from '../components.ts';
import { hasGuides, readGuide } from '../guides/contents.ts';
import { languageOf } from '../highlight.ts';
import { type Html, html } from '../html.ts';
import { exampleOf } from '../model/examples.ts';
import { fieldsOf, type JsonSchema } from '../model/fields.ts';
import { duration, enumerate, prose } from '../prose.ts';

export function eventsSection(): Section {
  return {
    id: 'events',
    title: 'Webhook events',
    lead: html`<p>Every event of a number is sent as a POST request with a JSON body to the URLs of its
<a href="#${operations.createWebhook.id}">webhook</a>. <code>kind</code> names the event.</p>`,
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
    eventKindsOf(category).map((kind) => html`<a href="#${anchor(kind)}"><code>${kind}</code></a> `),
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
<dl class="needs"><div><dt>Sent to</dt><dd><code>${URL_FIELD_OF_CATEGORY[EVENTS[kind].category]}</code></dd></div></dl>
${fieldGroup('Payload', fieldsOf(schema), 'answer')}`,
    samples: jsonPanel(html`Event <code>${kind}</code>`, exampleOf(schema)),
  };
}

function anchor(kind: EventKind): string {
  return `event-${kind}`;
}

const EXAMPLE_REQUEST = `POST /hooks/messages
Content-Type: application/json
${WEBHOOK_HEADERS.webhookId}: wh_01j9z6m4k2
${WEBHOOK_HEADERS.messageId}: 3EB0C767D71C5A4F1D2B
${WEBHOOK_HEADERS.timestamp}: 1784365200
${WEBHOOK_HEADERS.signature}: t=1784365200,v1=5f0c…`;

function signatureEntry(): Entry {
  return {
    id: 'signature',
    title: 'Headers and signature',
    text: html`${table(
      ['Header', 'Meaning'],
      [
        [html`<code>${WEBHOOK_HEADERS.webhookId}</code>`, 'The webhook configuration.'],
        [html`<code>${WEBHOOK_HEADERS.messageId}</code>`, 'The event; the same on every attempt.'],
        [html`<code>${WEBHOOK_HEADERS.timestamp}</code>`, 'Unix time of this attempt, in seconds.'],
        [
          html`<code>${WEBHOOK_HEADERS.signature}</code>`,
          html`<code>t=&lt;unix seconds&gt;,v1=&lt;hex&gt;</code>; two <code>v1</code> while a secret is rotated.`,
        ],
      ],
    )}
<p>Believe an event only after checking its signature:</p>
<ol>
<li>Read <code>t</code> and every <code>v1</code> from <code>${WEBHOOK_HEADERS.signature}</code>.</li>
<li>Compute HMAC-SHA256 with your signing secret over <code>&lt;t&gt;.&lt;raw body&gt;</code>: the bytes as they came, before any parsing.</li>
<li>Compare it with each <code>v1</code> in constant time; one match is enough.</li>
<li>Refuse when <code>t</code> is more than ${duration(SIGNATURE_TOLERANCE_SECONDS)} away from your clock.</li>
<li>Answer ${statusBadge(401)} to whatever fails.</li>
</ol>`,
    samples: [
      panel({ title: 'A delivery', language: 'http', code: EXAMPLE_REQUEST }),
      panelTabs('Language', verificationPanels()),
    ],
  };
}

/** Verification of a webhook, in every language of the guide: the reference shows the same code, which a test runs. */
function verificationPanels(): Html[] {
  if (!hasGuides()) return [];
  return [...readGuide('webhooks.md').matchAll(/^```(\w+) tab\n([\s\S]*?)\n```$/gm)].map(
    ([, fence = '', code = '']) => panel({ ...languageOf(fence), code }),
  );
}
