import type { BinaryNode, GroupMetadata, WASocket } from 'baileys';
import type { Jid } from '../../content.ts';
import type { BoundedCache } from '../bounded-cache.ts';

/**
 * What one session knows of its groups. Every change comes as a notification and drops what is known, so the next use asks again; without
 * this every send to a group would ask. Lost with the connection, for changes may have passed by meanwhile.
 */
export interface GroupCache {
  attach(sock: WASocket): void;
  get(sock: WASocket, group: Jid): Promise<GroupMetadata>;
  drop(group: Jid): void;
}

export function createGroupCache(linkId: string, cache: BoundedCache<GroupMetadata>): GroupCache {
  const own = (group: Jid): string => `${linkId}\n${group}`;
  let changes = 0;

  function drop(group: Jid): void {
    changes += 1;
    cache.delete(own(group));
  }

  return {
    attach(sock) {
      changes += 1;
      cache.deleteAll(own(''));
      sock.ws.prependListener('CB:notification,type:w:gp2', ({ attrs }: BinaryNode) =>
        drop(attrs.from ?? ''),
      );
    },
    async get(sock, group) {
      const known = cache.get(own(group));
      if (known) return known;
      const changesBefore = changes;
      const metadata = await sock.groupMetadata(group);
      if (changes === changesBefore) cache.set(own(group), metadata);
      return metadata;
    },
    drop,
  };
}
