import { AUTH_TTL_SECONDS, type MediaCredentials } from '../media/credentials.ts';
import { node } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

const TTL_SECONDS = 3600;
const BUCKETS = 12;

/** `w:m`: the media servers, in the order to try them. */
export function createMediaConnectionHandler({
  mediaHosts,
  credentials,
}: {
  mediaHosts: () => readonly string[];
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
      mediaHosts().map((hostname, place) =>
        node('host', { hostname, type: place === 0 ? 'primary' : 'fallback' }, [
          node('upload'),
          node('download'),
        ]),
      ),
    ),
  ];
}
