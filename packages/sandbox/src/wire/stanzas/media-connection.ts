import type { Random } from '../ports.ts';
import { node } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

const TTL_SECONDS = 3600;

/** `w:m`: where files are uploaded to. */
export function createMediaConnectionHandler({
  mediaHost,
  random,
}: {
  mediaHost: string;
  random: Random;
}): IqHandler {
  return () => [
    node('media_conn', { auth: Buffer.from(random.bytes(24)).toString('base64url'), ttl: TTL_SECONDS }, [
      node('host', { hostname: mediaHost }),
    ]),
  ];
}
