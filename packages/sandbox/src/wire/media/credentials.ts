import { createHash } from 'node:crypto';
import { createBoundedMap } from '../bounded-map.ts';
import type { Clock, Random } from '../ports.ts';

export const AUTH_TTL_SECONDS = 6 * 3600;
const MOST_KEPT = 10_000;

/** Credentials for uploads, which expire. After a restart of the network none is valid. */
export interface MediaCredentials {
  issue(): string;
  admit(credential: string): boolean;
}

export function createMediaCredentials({
  clock,
  random,
}: {
  clock: Clock;
  random: Random;
}): MediaCredentials {
  const expiries = createBoundedMap<string, number>(MOST_KEPT);
  return {
    issue() {
      const issued = Buffer.from(random.bytes(24)).toString('base64url');
      expiries.set(issued, clock.now() + AUTH_TTL_SECONDS * 1000);
      return issued;
    },
    admit: (credential) => clock.now() < (expiries.get(credential) ?? 0),
  };
}

/** Names an uploaded public file to the network, in a post that carries it. */
export function handleOf(path: string): string {
  return createHash('sha256').update(`handle ${path}`).digest('base64url');
}
