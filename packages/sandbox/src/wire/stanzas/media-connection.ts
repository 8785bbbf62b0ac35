import type { Random } from '../ports.ts';
import { node } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

const TTL_SECONDS = 3600;
const AUTH_TTL_SECONDS = 6 * 3600;
const BUCKETS = 12;

/** `w:m`: the address for uploads. */
export function createMediaConnectionHandler({
  mediaHost,
  random,
}: {
  mediaHost: string;
  random: Random;
}): IqHandler {
  return () => [
    node(
      'media_conn',
      {
        auth: Buffer.from(random.bytes(24)).toString('base64url'),
        ttl: TTL_SECONDS,
        auth_ttl: AUTH_TTL_SECONDS,
        max_buckets: BUCKETS,
      },
      [node('host', { hostname: mediaHost })],
    ),
  ];
}
