import { createLocalBus } from '#bus';
import type { ForeignEndpoint, ForeignSurface } from '#http';
import { createSteppedClock } from '#kernel';
import type { TestGateway } from '#testing';
import { createCloud } from '../cloud/index.ts';
import type { CompatContext } from '../context.ts';
import { createEvolution } from '../evolution/index.ts';

/** An endpoint of another program's interface, for tests that walk all of them. */
export interface Door {
  readonly surface: ForeignSurface;
  readonly endpoint: ForeignEndpoint;
  /** As a test names it. */
  readonly title: string;
}

// Endpoints are listed without being called: nothing behind them is needed.
const parts: Partial<CompatContext> = { bus: createLocalBus({ clock: createSteppedClock() }) };
export const SURFACES = [createEvolution, createCloud].map(
  (create) => create(parts as CompatContext).surface,
);

/** Of what is there with and without a version, and of integrations that all answer alike, one of each. */
export const allDoors: readonly Door[] = SURFACES.flatMap((surface) =>
  surface.endpoints
    .filter(({ path }) => !path.startsWith('/:version'))
    .filter(({ id }) => !id.includes('.') || id.startsWith('typebot.'))
    .map((endpoint) => ({
      surface,
      endpoint,
      title: `${endpoint.method} ${surface.prefix}${endpoint.path}`,
    })),
);

/** By its title. */
export function doorTo(title: string): Door {
  const found = allDoors.find((door) => door.title === title);
  if (!found) throw new Error(`There is no endpoint ${title}.`);
  return found;
}

export interface Knock {
  readonly url: string;
  readonly key: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export function knock(gateway: TestGateway, { surface, endpoint }: Door, { url, key, body, headers }: Knock) {
  const shown = key === undefined ? {} : surface.name === 'cloud' ? { key } : { headers: { apikey: key } };
  return gateway.request({
    method: endpoint.method,
    url,
    ...shown,
    ...(headers && { headers: { ...shown.headers, ...headers } }),
    ...(body !== undefined && { body }),
  });
}

/** What a refusal consists of at the top. */
export const REFUSAL_KEYS: Readonly<Record<string, readonly string[]>> = {
  evolution: ['status', 'error', 'response'],
  cloud: ['error'],
};
