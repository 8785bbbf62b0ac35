import type { Tag } from '../operations/operation.ts';
import { createComponents, type JsonSchema } from './components.ts';
import { type Paths, pathsOf, V1_OPERATIONS } from './paths.ts';
import { errorExamples } from './responses.ts';
import { WEBHOOKS_GUIDE, webhooksOf } from './webhooks.ts';

export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly { url: string }[];
  readonly security: readonly JsonSchema[];
  readonly tags: readonly { name: Tag; description: string }[];
  readonly paths: Paths;
  readonly webhooks: Record<string, { post: JsonSchema }>;
  readonly components: JsonSchema;
};

/** The OpenAPI document of `/v1`, made from the objects that validate requests and serve routes. */
export function buildOpenApi({
  version,
  serverUrl,
}: {
  version: string;
  serverUrl: string;
}): OpenApiDocument {
  const components = createComponents();
  const paths = pathsOf(components);
  const webhooks = webhooksOf(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version,
      summary: 'A self-hosted WhatsApp gateway.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the account, made in the portal.',
        },
      },
      schemas: components.schemas(),
      examples: errorExamples(V1_OPERATIONS),
    },
  };
}

const TAGS: readonly { name: Tag; description: string }[] = [
  { name: 'Pairing', description: 'Link a number: start, then poll until it is paired.' },
  { name: 'Sessions', description: 'Linked numbers: their state, typing, presence and calls.' },
  { name: 'Groups', description: 'Needs a plan with groups (Max or Partner).' },
  { name: 'Contacts and profile', description: 'Contacts, photos, the About text and the blocklist.' },
  { name: 'Chats', description: 'What the owner of the number sees of chats, on all devices.' },
  { name: 'Channels', description: 'Broadcast channels. Needs a plan with channels (Max or Partner).' },
  { name: 'Messages', description: 'Sending is asynchronous: a send is queued, results arrive as events.' },
  { name: 'Media', description: 'Files to be sent.' },
  { name: 'Webhooks', description: 'Where events of a number go, and their deliveries.' },
  { name: 'Events', description: WEBHOOKS_GUIDE },
  { name: 'Terms of service', description: 'Which version awaits acceptance.' },
];

const INTRODUCTION = [
  'Parley links phone numbers of WhatsApp to your account as secondary devices. A linked number is a session: it sends on your behalf and forwards what it receives to your webhooks.',
  '',
  '## Conventions',
  '',
  'All bodies are JSON. Every request carries `Authorization: Bearer <API_KEY>`. In paths the `@` of a JID is written `%40`. A session id may be given with or without its device suffix.',
  '',
  'An error is `{"error": "<short description>"}` with its stable name in `X-Error-Code`. On 4xx fix the request; on 429 wait the `Retry-After` seconds; on 5xx try again, a send with the same `Idempotency-Key`. Every answer says in `X-Request-Id` under which name the gateway’s log knows the request; a name of your own (1–64 of `A-Z a-z 0-9 _ -`, sent in the same header) is kept.',
  '',
  '## Limits on sending',
  '',
  '| Limit | Value |',
  '|---|---|',
  '| Each number, by plan | Free 10, Pro 20, Max 30 messages per minute |',
  '| Each session | 1 message per second, bursts of 5 |',
  '| Each account | 20 messages per second, bursts of 40 |',
  '| Cooldown | after 100 messages without a gap of 60 seconds the number pauses for 5 minutes |',
  '| Actions on the network in parallel | 5 per number |',
  '| Media | 64 MB |',
].join('\n');
