import type { MailboxWriter } from '../devices/mailbox.ts';
import { type Contact, type Person, type PhoneNumber, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import { type PhoneStore, personOf } from './phones.ts';
import type { Blocklists, Contacts } from './types.ts';

interface ContactRow {
  phone: string;
  lid: string | null;
  first_name: string;
  full_name: string;
  name: string | null;
  business_name: string | null;
}

const selectContacts = `
  SELECT c.phone, p.lid, c.first_name, c.full_name, p.name, p.business_name
  FROM contacts c LEFT JOIN phones p ON p.phone = c.phone`;

interface ContactsNeeds {
  context: WorldContext;
  phones: PhoneStore;
  mailboxes: MailboxWriter;
}

export function createContacts({ context, phones, mailboxes }: ContactsNeeds): Contacts {
  const { db } = context;

  const get = (owner: PhoneNumber, phone: PhoneNumber): Contact => {
    const row = db.get<ContactRow>(`${selectContacts} WHERE c.owner = ? AND c.phone = ?`, owner, phone);
    if (!row) throw new WorldError('not_found', `${phone} is not in the address book of ${owner}`);
    return toContact(row);
  };

  return {
    list: (phone) =>
      db.all<ContactRow>(`${selectContacts} WHERE c.owner = ? ORDER BY c.phone`, phone).map(toContact),
    save: (actor, entry) =>
      context.act(() => {
        phones.get(actor.phone);
        db.run(
          `INSERT INTO contacts (owner, phone, first_name, full_name) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET first_name = excluded.first_name, full_name = excluded.full_name`,
          actor.phone,
          entry.phone,
          entry.firstName,
          entry.fullName,
        );
        const contact = get(actor.phone, entry.phone);
        mailboxes.notify(actor.phone, { kind: 'contact', contact, removed: false }, actor);
        return contact;
      }),
    remove(actor, phone) {
      context.act(() => {
        const contact = get(actor.phone, phone);
        db.run('DELETE FROM contacts WHERE owner = ? AND phone = ?', actor.phone, phone);
        mailboxes.notify(actor.phone, { kind: 'contact', contact, removed: true }, actor);
      });
    },
  };
}

const toContact = (row: ContactRow): Contact => ({
  phone: row.phone,
  lid: row.lid ?? undefined,
  firstName: row.first_name,
  fullName: row.full_name,
  pushName: row.name ?? '',
  businessName: row.business_name ?? undefined,
});

export interface Blocks extends Blocklists {
  has(owner: PhoneNumber, phone: PhoneNumber): boolean;
}

export function createBlocklists({ context, phones, mailboxes }: ContactsNeeds): Blocks {
  const { db } = context;

  const refuseLidMode = (phone: PhoneNumber): void => {
    if (phones.get(phone).lidMode) {
      throw new WorldError('bad_request', 'the blocklist is not available to accounts in lid mode');
    }
  };

  const of = (phone: PhoneNumber): Person[] => {
    refuseLidMode(phone);
    return db
      .all<{ phone: string }>('SELECT phone FROM blocks WHERE owner = ? ORDER BY phone', phone)
      .map((row) => phones.person(row.phone));
  };

  return {
    of,
    has: (owner, phone) =>
      db.get('SELECT 1 FROM blocks WHERE owner = ? AND phone = ?', owner, phone) !== undefined,
    block: (actor, who) =>
      context.act(() => {
        refuseLidMode(actor.phone);
        const person = personOf(phones.require(who));
        if (person.phone === actor.phone)
          throw new WorldError('bad_request', 'blocking oneself is not possible');
        db.run('INSERT OR IGNORE INTO blocks (owner, phone) VALUES (?, ?)', actor.phone, person.phone);
        mailboxes.notify(actor.phone, { kind: 'blocklist', person, blocked: true }, actor);
        return of(actor.phone);
      }),
    unblock: (actor, who) =>
      context.act(() => {
        refuseLidMode(actor.phone);
        const person = personOf(phones.require(who));
        db.run('DELETE FROM blocks WHERE owner = ? AND phone = ?', actor.phone, person.phone);
        mailboxes.notify(actor.phone, { kind: 'blocklist', person, blocked: false }, actor);
        return of(actor.phone);
      }),
  };
}
