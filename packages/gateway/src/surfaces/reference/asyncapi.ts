import {
  buildOpenApi,
  EVENT_CATEGORIES,
  EVENT_KINDS,
  type EventCategory,
  type EventKind,
  eventKindsOf,
  URL_FIELD_OF_CATEGORY,
} from '@parley/contract';

type Json = Record<string, unknown>;

/**
 * The events as an AsyncAPI 3.0 document, for tools that generate receivers: a channel per webhook URL, a message per kind. It is derived
 * from the webhooks of the OpenAPI document.
 */
export function buildAsyncApi({ version, serverUrl }: { version: string; serverUrl: string }): Json {
  const { webhooks, components } = buildOpenApi({ version, serverUrl });
  const messages = Object.fromEntries(
    EVENT_KINDS.map((kind) => [kind, messageOf(kind, webhooks[kind]?.post ?? {})]),
  );
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parley events',
      version,
      description: `Signed POST requests to your own addresses. Everything else is in ${serverUrl}/openapi.json.`,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(EVENT_CATEGORIES.map((category) => [category, channelOf(category)])),
    operations: Object.fromEntries(
      EVENT_CATEGORIES.map((category) => [
        `send_${category}`,
        {
          action: 'send',
          channel: { $ref: `#/channels/${category}` },
          bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
        },
      ]),
    ),
    components: { messages, schemas: reachable(messages, components.schemas as Json) },
  };
}

function channelOf(category: EventCategory): Json {
  const kinds = eventKindsOf(category);
  return {
    // Known only to the owner of the webhook.
    address: null,
    description: `Sent to the \`${URL_FIELD_OF_CATEGORY[category]}\` of a webhook.`,
    messages: Object.fromEntries(kinds.map((kind) => [kind, { $ref: `#/components/messages/${kind}` }])),
  };
}

function messageOf(kind: EventKind, post: Json): Json {
  const { description, parameters, requestBody } = post as {
    description: string;
    parameters: { name: string; description: string; schema: Json }[];
    requestBody: { content: { 'application/json': { schema: Json; example: Json } } };
  };
  const { schema, example } = requestBody.content['application/json'];
  return {
    name: kind,
    title: `Event ${kind}`,
    summary: description,
    headers: {
      type: 'object',
      required: parameters.map(({ name }) => name),
      properties: Object.fromEntries(
        parameters.map((header) => [header.name, { ...header.schema, description: header.description }]),
      ),
    },
    payload: schema,
    examples: [{ payload: example }],
  };
}

/** Only the schemas that events refer to. */
function reachable(from: unknown, schemas: Json): Json {
  const found = new Set<string>();
  const look = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      look(schemas[name]);
    }
  };
  look(from);
  return Object.fromEntries([...found].sort().map((name) => [name, schemas[name]]));
}
