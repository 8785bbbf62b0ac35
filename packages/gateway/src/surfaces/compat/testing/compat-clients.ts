import { createSteppedClock } from '#kernel';
import { createLocalBus } from '#platform/bus';
import type { CompatApi, CompatEndpoint } from '#platform/http';
import type { TestGateway } from '#testing';
import { createCloud } from '../cloud/index.ts';
import type { CompatContext } from '../context.ts';
import { createEvolution } from '../evolution/index.ts';

/** An endpoint of another program's interface, for tests that walk all of them. */
export interface CompatClient {
  readonly surface: CompatApi;
  readonly endpoint: CompatEndpoint;
  /** Name in test titles. */
  readonly title: string;
}

// Lists endpoints without calling them, so their dependencies stay empty.
const parts: Partial<CompatContext> = { bus: createLocalBus({ clock: createSteppedClock() }) };
export const SURFACES = [createEvolution, createCloud].map(
  (create) => create(parts as CompatContext).surface,
);

/** Keeps one of the paths with and without a version, and one of the integrations that all answer alike. */
export const allCompatClients: readonly CompatClient[] = SURFACES.flatMap((surface) =>
  surface.endpoints
    .filter(({ path }) => !path.startsWith('/:version'))
    .filter(({ id }) => !id.includes('.') || id.startsWith('typebot.'))
    .map((endpoint) => ({
      surface,
      endpoint,
      title: `${endpoint.method} ${surface.prefix}${endpoint.path}`,
    })),
);

/** Finds an endpoint by its title. */
export function compatClientFor(title: string): CompatClient {
  const found = allCompatClients.find((door) => door.title === title);
  if (!found) throw new Error(`There is no endpoint ${title}.`);
  return found;
}

export interface CompatAttempt {
  readonly url: string;
  readonly key: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export function attemptCompat(
  gateway: TestGateway,
  { surface, endpoint }: CompatClient,
  { url, key, body, headers }: CompatAttempt,
) {
  const shown = key === undefined ? {} : surface.name === 'cloud' ? { key } : { headers: { apikey: key } };
  return gateway.request({
    method: endpoint.method,
    url,
    ...shown,
    ...(headers && { headers: { ...shown.headers, ...headers } }),
    ...(body !== undefined && { body }),
  });
}

/** Top-level fields of an error. */
export const REFUSAL_KEYS: Readonly<Record<string, readonly string[]>> = {
  evolution: ['status', 'error', 'response'],
  cloud: ['error'],
};
