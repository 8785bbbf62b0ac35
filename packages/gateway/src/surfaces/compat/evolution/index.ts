import type { CompatApi } from '#platform/http';
import type { CompatContext, Compatible } from '../context.ts';
import { chatEndpoints } from './chat/endpoints.ts';
import { disabledEndpoints } from './disabled.ts';
import { groupEndpoints } from './group/endpoints.ts';
import { instanceEndpoints } from './instance/endpoints.ts';
import { createPairings } from './instance/pairing.ts';
import { proxyEndpoints, settingsEndpoints } from './instance/settings.ts';
import { SURFACE, withInstances } from './instances.ts';
import { messageEndpoints } from './message/endpoints.ts';
import { invalidInput, refusalOf } from './refusals.ts';
import { webhookEndpoints } from './webhook/endpoints.ts';
import { createWebhookFormat } from './webhook/format.ts';

/** Version that clients of this interface see: the last one that needs no licence. */
const SPOKEN_VERSION = '2.3.7';

/** Evolution API v2. An instance is a number with a name; its key is an account key or a key for that number alone. */
export function createEvolution(given: CompatContext): Compatible {
  const context = withInstances(given);
  const pairings = createPairings(context);
  const surface: CompatApi = {
    name: SURFACE,
    prefix: `/${SURFACE}`,
    keyOf: (request) => request.header('apikey'),
    refusal: refusalOf,
    invalid: invalidInput,
    endpoints: [
      {
        id: 'welcome',
        method: 'GET',
        path: '/',
        open: true,
        input: {},
        bodyMaxBytes: 1,
        handle: async ({ origin }) => ({
          body: {
            status: 200,
            message: 'Welcome to the Evolution API, it is working!',
            version: SPOKEN_VERSION,
            clientName: 'parley',
            manager: `${origin}/portal`,
            documentation: `${origin}/docs`,
          },
        }),
      },
      ...instanceEndpoints(context, pairings),
      ...settingsEndpoints(context),
      ...proxyEndpoints(context),
      ...messageEndpoints(context),
      ...chatEndpoints(context),
      ...groupEndpoints(context),
      ...webhookEndpoints(context),
      ...disabledEndpoints(context),
    ],
  };
  return {
    surface,
    format: createWebhookFormat(context),
    async stop() {
      context.instances.stop();
      await pairings.stop();
    },
  };
}
