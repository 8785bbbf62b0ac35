import type { ForeignEndpoint } from '#http';
import { fieldsOf, flag } from '../input.ts';
import { type EvolutionContext, onInstance } from '../instances.ts';
import { badRequest } from '../refusals.ts';

/** Which way numbers go out is the operator's to say (`PARLEY_WHATSAPP_PROXIES`), so no instance has a proxy of its own. */
export function proxyEndpoints(context: EvolutionContext): ForeignEndpoint[] {
  return [
    onInstance(context, ['POST', '/proxy/set'], async ({ body }) => {
      if (flag(fieldsOf(body), 'enabled')) throw badRequest('Proxy is disabled');
      const none = { enabled: false, host: '', port: '', protocol: '', username: '', password: '' };
      return { status: 201, body: none };
    }),
    onInstance(context, ['GET', '/proxy/find'], async () => ({ body: null })),
  ];
}
