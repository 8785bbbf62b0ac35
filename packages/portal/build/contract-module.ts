import { operations, SEND_KINDS } from '@parley/contract';
import type { Plugin } from 'vite';

/** Surfaces that the pages call. */
const SURFACES: ReadonlySet<string> = new Set(['portal', 'portal_entrance', 'operator']);

/** Separate modules, so that only pages that need one load it. */
const MODULES: Readonly<Record<string, () => string>> = {
  'virtual:routes': () => {
    const routes = Object.values(operations)
      .filter(({ surface }) => SURFACES.has(surface))
      .map(({ id, method, path }) => [id, [method, path]] as const);
    return `export const routes = ${JSON.stringify(Object.fromEntries(routes))};`;
  },
  'virtual:send-kinds': () => {
    const kinds = Object.values(SEND_KINDS).map(({ kind, summary, description, example, schema }) => ({
      kind,
      summary,
      description,
      example,
      schema,
    }));
    return `export const sendKinds = ${JSON.stringify(kinds)};`;
  },
};

/**
 * Computes at build time what the pages need of the contract at run time: paths of operations and schemas of messages, as plain
 * JSON. This keeps the schema library out of the bundle and the contract the only source.
 */
export function contractModule(): Plugin {
  return {
    name: 'parley-contract',
    resolveId: (id) => (id in MODULES ? `\0${id}` : undefined),
    load: (id) => MODULES[id.slice(1)]?.(),
  };
}
