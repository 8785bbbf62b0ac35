import type { ForeignSurface } from '#http';
import type { CompatContext, Compatible } from '../context.ts';
import { refusalOf } from './refusals.ts';

/** What clients of this interface see as its version: the last one that anybody could use without a licence. */
const SPOKEN_VERSION = '2.3.7';

/** Evolution API v2. */
export function createEvolution(_context: CompatContext): Compatible {
  const surface: ForeignSurface = {
    name: 'evolution',
    prefix: '/evolution',
    keyOf: (request) => request.header('apikey'),
    refusal: refusalOf,
    endpoints: [
      {
        id: 'welcome',
        method: 'GET',
        path: '/',
        open: true,
        handle: async ({ origin }) => ({
          body: {
            status: 200,
            message: 'Welcome to the Evolution API, it is working!',
            version: SPOKEN_VERSION,
            clientName: 'parley',
            documentation: `${origin}/docs`,
          },
        }),
      },
    ],
  };
  return { surface, format: { render: async () => [] } };
}
