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

/** Areas whose endpoints do not declare everything yet. Who moves one takes its line away. */
const STILL_LACKING = new Set([
  'evolution/instance',
  'evolution/settings',
  'evolution/proxy',
  'evolution/webhook',
]);

/** What an endpoint has to declare, and does not. */
function lacks({ input, permission, bodyMaxBytes, open }: ForeignEndpoint): string[] {
  return [
    ...(input === undefined ? ['input'] : []),
    ...(bodyMaxBytes === undefined ? ['bodyMaxBytes'] : []),
    ...(permission === undefined && !open ? ['permission'] : []),
  ];
}

const lacking = SURFACES.flatMap(({ name, prefix, endpoints }) =>
  endpoints.flatMap((endpoint) => {
    const area = name === 'cloud' ? name : `${name}/${endpoint.path.split('/')[1]}`;
    const found = lacks(endpoint);
    return found.length === 0
      ? []
      : [{ area, text: `${endpoint.method} ${prefix}${endpoint.path} lacks ${found.join(', ')}` }];
  }),
);

describe('every endpoint of another program’s interface', () => {
  it('declares what it takes, how much of it, and who may ask', () => {
    expect(lacking.filter(({ area }) => !STILL_LACKING.has(area)).map(({ text }) => text)).toEqual([]);
  });

  it('is held to that as soon as its area declares everything', () => {
    const areas = new Set(lacking.map(({ area }) => area));
    expect([...STILL_LACKING].filter((area) => !areas.has(area))).toEqual([]);
  });
});
