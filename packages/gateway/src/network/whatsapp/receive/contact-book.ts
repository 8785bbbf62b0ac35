import type { Contact as LibraryContact, SocketConfig, WASocket } from 'baileys';
import { settled, warnOf } from '#kernel';
import type { Jid } from '../../content.ts';
import type { Contact } from '../../operations.ts';
import {
  accountOf,
  boundedName,
  isLid,
  isPhone,
  isPlausibleUsername,
  lidAmong,
  phoneAmong,
} from '../convert/index.ts';
import { property } from '../errors.ts';
import type { Vault } from '../vault/index.ts';
import { learnUsername, phonesBehind } from './people.ts';

const KIND = 'contact';
/** People per transaction. */
const AT_ONCE = 500;

type Names = Omit<Contact, 'jid'>;

/** A contact as the library reports it; with a first name only when it comes from the address book. */
type ContactUpdate = Partial<LibraryContact> & { readonly firstName?: string };

type News = readonly [Jid, Partial<Names>];

type LibraryLogger = SocketConfig['logger'];

const NO_NAMES: Names = { firstName: '', fullName: '', pushName: '', businessName: '' };

/**
 * The number's own contact list, as the phone has synchronized it: names from the address book, and names that
 * people gave themselves.
 */
export interface ContactBook {
  /** Listens to contacts that the phone synchronizes. */
  attach(sock: WASocket): void;
  /** Resolves when these are stored. */
  learn(contacts: readonly ContactUpdate[]): Promise<void>;
  /**
   * Wraps the log to read first names: the library reads them from the address book but passes on only the full
   * name, and logs the whole entry right before its event. The wrapper writes none of it anywhere.
   */
  readFirstNames(logger: LibraryLogger): LibraryLogger;
  /** Called with the name that a sender gave with a message. */
  noteName(jid: Jid, pushName: string): void;
  list(): Promise<readonly Contact[]>;
  /** People in the address book, who see a story. */
  audience(): Promise<readonly Jid[]>;
  /** Waits for pending writes. */
  settled(): Promise<void>;
}

export function createContactBook(vault: () => Vault): ContactBook {
  /** From the log, until the event about the same contact comes. Empty: the entry has none. */
  const firstNames = new Map<string, string>();
  let writing: Promise<unknown> = Promise.resolve();
  let waiting: { readonly news: News[]; readonly written: Promise<void> } | undefined;

  /**
   * One write at a time, each with everything that came during the one before. It starts with what a failed
   * write has left.
   */
  function keep(news: readonly News[]): Promise<void> {
    if (!waiting) {
      const next: News[] = [];
      const written = writing.then(() => {
        waiting = undefined;
        return writeAll(next);
      });
      waiting = { news: next, written };
      writing = settled(written);
    }
    waiting.news.push(...news);
    return waiting.written;
  }

  async function writeAll(news: readonly News[]): Promise<void> {
    for (let from = 0; from < news.length; from += AT_ONCE) await write(news.slice(from, from + AT_ONCE));
  }

  async function write(news: readonly News[]): Promise<void> {
    const known = await vault().read(KIND, [...new Set(news.map(([jid]) => jid))]);
    const changed = new Map<Jid, Names>();
    for (const [jid, names] of news) {
      // Written by this function only.
      const before = changed.get(jid) ?? (known.get(jid) as Names | undefined);
      const after = { ...NO_NAMES, ...before, ...names };
      if (!before || !same(before, after)) changed.set(jid, after);
    }
    if (changed.size === 0) return;
    const entries = [...changed].map(([id, value]) => ({ kind: KIND, id, value }));
    await vault().commit({
      puts: entries.filter(({ value }) => !same(value, NO_NAMES)),
      deletes: entries.filter(({ value }) => same(value, NO_NAMES)),
    });
  }

  async function learn(contacts: readonly ContactUpdate[]): Promise<void> {
    const phones = await phonesBehind(
      vault(),
      contacts.map(addressOf).filter((address) => isLid(address)),
    );
    const news = contacts.map((contact) => {
      const address = addressOf(contact);
      return [phones.get(address) ?? address, namesOf(contact)] as const;
    });
    await keep(news.filter(([jid, names]) => jid !== '' && Object.keys(names).length > 0));
    for (const { id, lid, username } of contacts) {
      const hidden = lidAmong(lid, id);
      if (hidden && username && isPlausibleUsername(username)) await learnUsername(vault(), hidden, username);
    }
  }

  async function list(): Promise<readonly Contact[]> {
    await writing;
    const all = await vault().readAll(KIND);
    return [...all].map(([jid, names]) => ({ jid, ...NO_NAMES, ...(names as Names) }));
  }

  return {
    attach(sock) {
      // A broken vault has closed the session; the phone sends its contacts again.
      const listen = (contacts: readonly ContactUpdate[]): void => {
        learn(contacts).catch(warnOf('contacts of a phone could not be stored'));
      };
      // From the address book itself: a person without a name here was removed from it.
      sock.ev.on('contacts.upsert', (contacts) =>
        listen(
          contacts.map((contact) => {
            const firstName = firstNames.get(contact.id);
            firstNames.delete(contact.id);
            if (!contact.name) return { ...contact, name: '', firstName: '' };
            return firstName === undefined ? contact : { ...contact, firstName };
          }),
        ),
      );
      sock.ev.on('contacts.update', listen);
    },
    readFirstNames(logger) {
      const listening: LibraryLogger = {
        ...logger,
        child: () => listening,
        trace(details, message) {
          const entry = addressBookEntry(details);
          if (entry) firstNames.set(entry.id, entry.firstName);
          logger.trace(details, message);
        },
      };
      return listening;
    },
    learn,
    noteName(jid, pushName) {
      keep([[jid, { pushName }]]).catch(warnOf('the name of a contact could not be stored'));
    },
    list,
    async audience() {
      const contacts = await list();
      return contacts.filter(({ jid, fullName }) => isPhone(jid) && fullName !== '').map(({ jid }) => jid);
    },
    settled: async () => void (await writing),
  };
}

/** The phone number when it is known, else the hidden address; empty when there is neither. */
function addressOf({ id, phoneNumber, lid }: ContactUpdate): Jid {
  const hidden = [id, lid].find((address) => address !== undefined && isLid(address));
  return phoneAmong(id, phoneNumber) ?? accountOf(hidden);
}

function namesOf({ name, firstName, notify, verifiedName }: ContactUpdate): Partial<Names> {
  return {
    ...(name === undefined ? {} : { fullName: boundedName(name) }),
    ...(firstName === undefined ? {} : { firstName: boundedName(firstName) }),
    ...(notify ? { pushName: boundedName(notify) } : {}),
    ...(verifiedName ? { businessName: boundedName(verifiedName) } : {}),
  };
}

function same(a: Names, b: Names): boolean {
  return (
    a.firstName === b.firstName &&
    a.fullName === b.fullName &&
    a.pushName === b.pushName &&
    a.businessName === b.businessName
  );
}

/** `{ syncAction: { index: ['contact', id], syncAction: { value: { contactAction } } } }` */
function addressBookEntry(details: unknown): { id: string; firstName: string } | undefined {
  const mutation = property(details, 'syncAction');
  const contact = property(property(property(mutation, 'syncAction'), 'value'), 'contactAction');
  const id = property(property(mutation, 'index'), '1');
  if (!contact || typeof id !== 'string') return undefined;
  const firstName = property(contact, 'firstName');
  return { id, firstName: typeof firstName === 'string' ? firstName : '' };
}
