import { operations, SEND_KINDS } from '@parley/contract';
import type { Plugin } from 'vite';

/** The surfaces that the pages talk to. */
const SURFACES: ReadonlySet<string> = new Set(['portal', 'portal_entrance', 'operator']);

/** Each is a module of its own, so that only the page that needs it loads it. */
const MODULES: Readonly<Record<string, () => string>> = {
  'virtual:routes': () => {
    const routes = Object.values(operations)
      .filter(({ surface }) => SURFACES.has(surface))
      .map(({ id, method, path }) => [id, [method, path]] as const);
    return `export const routes = ${JSON.stringify(Object.fromEntries(routes))};`;
  },
  'virtual:send-kinds': () => {
    const kinds = Object.values(SEND_KINDS).map(({ parse: _judgedByTheGateway, ...told }) => told);
    return `export const sendKinds = ${JSON.stringify(kinds)};`;
  },
};

/**
 * What the pages need of the contract while they run, worked out when they are built: addresses of operations and schemas of messages as
 * plain JSON. So the schema library stays at home, and nothing that is declared in the contract is written down a second time.
 */
export function contractModule(): Plugin {
  return {
    name: 'parley-contract',
    resolveId: (id) => (id in MODULES ? `\0${id}` : undefined),
    load: (id) => MODULES[id.slice(1)]?.(),
  };
}
