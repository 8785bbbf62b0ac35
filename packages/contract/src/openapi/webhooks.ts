import type { TSchema } from 'typebox';
import {
  EVENT_KINDS,
  EVENT_SCHEMAS,
  EVENTS,
  type EventKind,
  URL_FIELD_OF_CATEGORY,
} from '../events/index.ts';
import { WEBHOOK_ATTEMPTS, WEBHOOK_TIMEOUT_SECONDS } from '../limits.ts';
import { WEBHOOK_HEADERS } from '../signature.ts';
import type { Components, JsonSchema } from './components.ts';
import { exampleOf } from './example.ts';

/** Webhooks of the document, one entry per event kind. */
export function webhooksOf(components: Components): Record<string, { post: JsonSchema }> {
  return Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { post: describe(kind, components) }]));
}

function describe(kind: EventKind, components: Components): JsonSchema {
  const schema: TSchema = EVENT_SCHEMAS[kind];
  const { description }: { description?: string } = schema;
  return {
    operationId: `on_${kind}`,
    summary: `Event \`${kind}\``,
    description: `${description ?? ''} Sent to \`${URL_FIELD_OF_CATEGORY[EVENTS[kind].category]}\`.`.trim(),
    tags: ['Events'],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.show(schema), example: exampleOf(schema) } },
    },
    responses: {
      '2XX': { description: 'Received. Anything else, or no answer in time, is tried again.' },
      '401': { description: 'To be answered by the receiver when the signature does not verify.' },
    },
  };
}

function header(name: string, description: string, example: string): JsonSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

const HEADERS = [
  header(WEBHOOK_HEADERS.webhookId, 'Id of the webhook configuration.', 'wh_01j9z6m4k2'),
  header(
    WEBHOOK_HEADERS.messageId,
    'Unique id of this event, the same on every retry: deduplicate on it.',
    '3EB0C767D71C5A4F1D2B',
  ),
  header(WEBHOOK_HEADERS.timestamp, 'Unix time of this attempt in seconds.', '1784365200'),
  header(
    WEBHOOK_HEADERS.signature,
    '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`; two `v1` values while a secret is rotated.',
    `t=1784365200,v1=${'5f'.repeat(32)}`,
  ),
];

export const WEBHOOKS_GUIDE = [
  'Events are sent as POST requests with a JSON body to the URL of their category. To verify one:',
  '',
  `1. Read \`t\` and every \`v1\` from \`${WEBHOOK_HEADERS.signature}\`.`,
  '2. Compute HMAC-SHA256 over `<t>.<raw body>` with the signing secret and hex-encode it.',
  '3. Compare it with each `v1` in constant time; one match is enough.',
  '4. Refuse when `t` is more than 5 minutes away from your clock. Answer 401 to whatever fails.',
  '',
  `Answer 2xx within ${WEBHOOK_TIMEOUT_SECONDS} seconds; redirects count as failures. There are ${WEBHOOK_ATTEMPTS} attempts: at once, after about 30 seconds, 5 minutes and 30 minutes. Then the delivery is dead and can be redelivered by hand. The same event may arrive more than once.`,
].join('\n');
