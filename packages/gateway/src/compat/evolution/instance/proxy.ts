import type { ForeignEndpoint } from '#http';
import { NO_BODY_BYTES, SMALL_BODY_BYTES } from '../fields.ts';
import { type EvolutionContext, onInstance } from '../instances.ts';
import { badRequest } from '../refusals.ts';
import { ProxyBody } from './bodies.ts';

/** Which way numbers go out is the operator's to say (`PARLEY_WHATSAPP_PROXIES`), so no instance has a proxy of its own. */
export function proxyEndpoints(context: EvolutionContext): ForeignEndpoint[] {
  return [
    onInstance(
      context,
      ['POST', '/proxy/set'],
      async ({ body }) => {
        if (body.enabled) throw badRequest('Proxy is disabled');
        const none = { enabled: false, host: '', port: '', protocol: '', username: '', password: '' };
        return { status: 201, body: none };
      },
      { permission: 'none', input: { body: ProxyBody }, bodyMaxBytes: SMALL_BODY_BYTES },
    ),
    onInstance(context, ['GET', '/proxy/find'], async () => ({ body: null }), {
      permission: 'none',
      input: {},
      bodyMaxBytes: NO_BODY_BYTES,
    }),
  ];
}
