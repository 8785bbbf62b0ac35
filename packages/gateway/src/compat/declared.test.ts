import { describe, expect, it } from 'vitest';
import type { ForeignEndpoint } from '#http';
import { SURFACES } from './testing/doors.ts';

/** What an endpoint has to declare, and does not. */
function lacks({ input, permission, bodyMaxBytes, open }: ForeignEndpoint): string[] {
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
  it('declares what it takes, how much of it, and who may ask', () => {
    expect(lacking).toEqual([]);
  });
});
