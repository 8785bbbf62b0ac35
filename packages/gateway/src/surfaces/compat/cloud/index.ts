import { type CompatApi, type CompatEndpoint, CompatError } from '#platform/http';
import type { CompatContext, Compatible } from '../context.ts';
import { createNames } from '../names/names.ts';
import type { CloudContext, Remembered } from './context.ts';
import { accountEndpoints, templateEndpoints } from './endpoints/account.ts';
import { blockEndpoints } from './endpoints/blocked.ts';
import { messagesEndpoint } from './endpoints/messages.ts';
import { mediaEndpoints, numberEndpoints, profileEndpoints } from './endpoints/numbers.ts';
import { errorBody, GRAPH_ERRORS, graphErrorOf, invalid } from './graph-error.ts';
import { createTemplates } from './templates/templates.ts';
import { CLOUD } from './webhooks/callbacks.ts';
import { createFormat } from './webhooks/format.ts';

/** The WhatsApp Cloud API: the part of the Graph API that sends and receives messages. */
export function createCloud(parts: CompatContext): Compatible {
  const names = createNames<Remembered>(CLOUD, parts);
  const context: CloudContext = { ...parts, names, templates: createTemplates(parts) };
  const surface: CompatApi = {
    name: CLOUD,
    prefix: `/${CLOUD}`,
    keyOf: ({ header, query }) =>
      /^(?:Bearer|OAuth) +(\S+)$/i.exec(header('Authorization') ?? '')?.[1] ?? textOf(query.access_token),
    refusal(refused) {
      const error = graphErrorOf(refused);
      return { status: GRAPH_ERRORS[error.code].status, body: errorBody(error, '') };
    },
    invalid({ text }) {
      const body = errorBody(invalid(`Param ${text}.`), '');
      return new CompatError(GRAPH_ERRORS[100].status, body, body.error.message);
    },
    endpoints: withVersions([
      messagesEndpoint(context),
      ...mediaEndpoints(context),
      ...numberEndpoints(context),
      ...profileEndpoints(context),
      ...blockEndpoints(context),
      ...accountEndpoints(context),
      ...templateEndpoints(context),
    ]),
  };
  return { surface, format: createFormat(parts, names), stop: async () => names.stop() };
}

/** Accepts any version, because requests have not changed between them, or none, because some clients leave it out. */
const VERSION = '/:version(^v\\d{1,3}\\.\\d{1,2}$)';

function withVersions(endpoints: readonly CompatEndpoint[]): CompatEndpoint[] {
  return endpoints.flatMap((each) => [each, { ...each, path: VERSION + each.path }]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
