import { describe, expect, it } from 'vitest';
import type { CompatEndpoint } from '#platform/http';
import { SURFACES } from './testing/compat-clients.ts';

/** Missing declarations of an endpoint. */
function lacks({ input, permission, bodyMaxBytes, open }: CompatEndpoint): string[] {
  return [
    ...(input === undefined ? ['input'] : []),
    ...(bodyMaxBytes === undefined ? ['bodyMaxBytes'] : []),
    ...(permission === undefined && !open ? ['permission'] : []),
  ];
}

const lacking = SURFACES.flatMap(({ prefix, endpoints }) =>
  endpoints.flatMap((endpoint) => {
    const found = lacks(endpoint);
    return found.length === 0
      ? []
      : [`${endpoint.method} ${prefix}${endpoint.path} lacks ${found.join(', ')}`];
  }),
);

describe('every endpoint of another program’s interface', () => {
  it('declares its input, its limits and its permission', () => {
    expect(lacking).toEqual([]);
  });
});
