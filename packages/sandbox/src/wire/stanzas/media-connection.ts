import { AUTH_TTL_SECONDS, type MediaCredentials } from '../media/credentials.ts';
import { node } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

const TTL_SECONDS = 3600;
const BUCKETS = 12;

/** `w:m`: the address for uploads. */
export function createMediaConnectionHandler({
  mediaHost,
  credentials,
}: {
  mediaHost: string;
  credentials: Pick<MediaCredentials, 'issue'>;
}): IqHandler {
  return () => [
    node(
      'media_conn',
      {
        auth: credentials.issue(),
        ttl: TTL_SECONDS,
        auth_ttl: AUTH_TTL_SECONDS,
        max_buckets: BUCKETS,
      },
      [node('host', { hostname: mediaHost })],
    ),
  ];
}
