import { DatabaseSync } from 'node:sqlite';
import { type AuthenticationState, BufferJSON, initAuthCreds, proto, type SignalKeyStore } from 'baileys';

/**
 * The minimum state for a socket of the library to resume in a later process. Changes stay in memory and are written once, at the
 * end; the hundreds of one-time keys of each link stay in the file until one of them is used.
 */
export interface BareLink extends AuthenticationState {
  save(): void;
}

export interface BareLinks {
  create(phone: string): BareLink;
  open(phone: string): BareLink;
  close(): void;
}

const CREDS = 'creds';

export function openBareLinks(file: string): BareLinks {
  const db = new DatabaseSync(file);
  db.exec('CREATE TABLE IF NOT EXISTS records (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
  const select = db.prepare('SELECT value FROM records WHERE name = ?');
  const upsert = db.prepare('INSERT OR REPLACE INTO records (name, value) VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM records WHERE name = ?');

  function read(name: string): unknown {
    const value = select.get(name)?.value;
    return typeof value === 'string' ? JSON.parse(value, BufferJSON.reviver) : undefined;
  }

  function write(name: string, value: unknown): void {
    if (value === null) remove.run(name);
    else upsert.run(name, JSON.stringify(value, BufferJSON.replacer));
  }

  function link(
    phone: string,
    creds: AuthenticationState['creds'],
    readKept: (name: string) => unknown,
  ): BareLink {
    const changed = new Map<string, unknown>();
    const nameOf = (kind: string, id: string): string => `${phone}/${kind}/${id}`;
    const keys: SignalKeyStore = {
      get(kind, ids) {
        const found = ids.flatMap((id) => {
          const name = nameOf(kind, id);
          const value = changed.has(name) ? changed.get(name) : revive(kind, readKept(name));
          return value === undefined || value === null ? [] : [[id, value] as const];
        });
        // The library names the type of each kind; it wrote the values itself.
        return Object.fromEntries(found) as never;
      },
      set(data) {
        for (const [kind, values] of Object.entries(data)) {
          for (const [id, value] of Object.entries(values ?? {})) changed.set(nameOf(kind, id), value);
        }
      },
    };
    return {
      creds,
      keys,
      save() {
        db.exec('BEGIN');
        write(nameOf(CREDS, ''), creds);
        for (const [name, value] of changed) write(name, value);
        db.exec('COMMIT');
      },
    };
  }

  return {
    create: (phone) => link(phone, initAuthCreds(), () => undefined),
    // Written by `save`.
    open: (phone) => link(phone, read(`${phone}/${CREDS}/`) as AuthenticationState['creds'], read),
    close: () => db.close(),
  };
}

/** The library calls methods of this one kind, which plain JSON does not keep. */
function revive(kind: string, value: unknown): unknown {
  return kind === 'app-state-sync-key' && typeof value === 'object' && value !== null
    ? proto.Message.AppStateSyncKeyData.fromObject(value)
    : value;
}
