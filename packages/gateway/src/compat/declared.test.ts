import { describe, expect, it } from 'vitest';
import { createLocalBus } from '#bus';
import type { ForeignEndpoint } from '#http';
import { createSteppedClock } from '#kernel';
import { createCloud } from './cloud/index.ts';
import type { CompatContext } from './context.ts';
import { createEvolution } from './evolution/index.ts';

// Endpoints are listed without being called: nothing behind them is needed.
const parts: Partial<CompatContext> = { bus: createLocalBus({ clock: createSteppedClock() }) };
const SURFACES = [createEvolution, createCloud].map((create) => create(parts as CompatContext).surface);

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
