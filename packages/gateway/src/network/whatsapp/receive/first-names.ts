import type { SocketConfig } from 'baileys';

type LibraryLogger = SocketConfig['logger'];

/**
 * The first names of the address book. The library reads them and passes on the full name alone; the one place where it lets the whole
 * entry be seen is its log, in the line before the event about it. Nothing of that line is written anywhere.
 */
export interface FirstNames {
  /** The same log, with an ear. */
  listenAt(logger: LibraryLogger): LibraryLogger;
  /** Of the entry that the library has just told of, empty when that has none; undefined when it was not told. Asked once. */
  take(id: string): string | undefined;
}

export function createFirstNames(): FirstNames {
  const heard = new Map<string, string>();
  return {
    listenAt(logger) {
      const listening: LibraryLogger = {
        ...logger,
        child: () => listening,
        trace(details, message) {
          const entry = entryIn(details);
          if (entry) heard.set(entry.id, entry.firstName);
          logger.trace(details, message);
        },
      };
      return listening;
    },
    take(id) {
      const firstName = heard.get(id);
      heard.delete(id);
      return firstName;
    },
  };
}

/** `{ syncAction: { index: ['contact', id], syncAction: { value: { contactAction } } } }` */
function entryIn(details: unknown): { id: string; firstName: string } | undefined {
  const mutation = property(details, 'syncAction');
  const contact = property(property(property(mutation, 'syncAction'), 'value'), 'contactAction');
  const id = property(property(mutation, 'index'), '1');
  if (!contact || typeof id !== 'string') return undefined;
  const firstName = property(contact, 'firstName');
  return { id, firstName: typeof firstName === 'string' ? firstName : '' };
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
