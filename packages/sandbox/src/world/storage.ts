import { createHash } from 'node:crypto';
import type { MediaTable, Vault } from './world.ts';
import type { WorldContext } from './world-context.ts';

/** Key-value storage for bytes that are opaque to the world. */

export function createMedia({ db }: WorldContext): MediaTable {
  return {
    put(bytes, mimetype) {
      const id = createHash('sha256').update(bytes).digest('hex');
      db.run('INSERT OR IGNORE INTO media (id, bytes) VALUES (?, ?)', id, bytes);
      return { id, mimetype, size: bytes.byteLength };
    },
    read: (id) => db.get<{ bytes: Uint8Array }>('SELECT bytes FROM media WHERE id = ?', id)?.bytes,
  };
}

export function createVault({ db }: WorldContext): Vault {
  return {
    read: (scope, key) =>
      db.get<{ value: Uint8Array }>('SELECT value FROM vault WHERE scope = ? AND key = ?', scope, key)?.value,
    write(scope, key, value) {
      db.run(
        'INSERT INTO vault (scope, key, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
        scope,
        key,
        value,
      );
    },
    erase(scope, key) {
      db.run('DELETE FROM vault WHERE scope = ? AND key = ?', scope, key);
    },
    eraseScope(scope) {
      db.run('DELETE FROM vault WHERE scope = ?', scope);
    },
    entries: (scope, limit = -1) =>
      db.all<{ key: string; value: Uint8Array }>(
        'SELECT key, value FROM vault WHERE scope = ? ORDER BY key LIMIT ?',
        scope,
        limit,
      ),
  };
}
