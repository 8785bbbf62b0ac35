import { readUserAddress } from '../jids.ts';
import {
  type Addressing,
  type EditForm,
  type Person,
  type Phone,
  type PhoneNumber,
  type PhoneSettings,
  WorldError,
} from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { Phones } from './types.ts';

/** The internal side of the phones, for other parts of the world. */
export interface PhoneStore extends Phones {
  /** `not_registered` when the address is well formed and unknown, `bad_request` when it is invalid. */
  require(address: string): Phone;
}

interface PersonRow {
  phone: string;
  lid: string;
  name: string;
  lid_mode: number;
  addressing: Addressing;
  username: string | null;
  hides_phone: number;
}

interface PhoneRow extends PersonRow {
  about: string;
  business_name: string | null;
  auto_read: number;
  hides_photo: number;
  online: number;
  last_seen_at: number | null;
  duplicates_dropped: number;
  banned_until: number | null;
  locked: number;
  changed_to: string | null;
  requires_passkey: number;
  passkey_rp_id: string;
  refreshes_pairing: number;
  other_spelling: string | null;
  edits: EditForm;
  username_key: string | null;
  created_at: number;
}

const numberShape = /^[1-9]\d{4,14}$/;
/** Lets the pages of a gateway on this machine use passkeys of this network. */
const defaultRpId = 'localhost';
const defaultAbout = 'Hey there! I am using WhatsApp.';

/** A person is online while the phone is, or while a linked device is available. */
const selectPhone = `
  SELECT p.*, (p.online OR EXISTS (SELECT 1 FROM devices d WHERE d.phone = p.phone AND d.available)) AS online
  FROM phones p`;

interface PhonesNeeds {
  context: WorldContext;
  /** Addressing of phones that set none. */
  defaultAddressing: Addressing;
  /** Notifies everyone who has this person in their address book. */
  notifyContactOwners(person: Person, changes: { name?: string; about?: string }): void;
}

export function createPhones({ context, defaultAddressing, notifyContactOwners }: PhonesNeeds): PhoneStore {
  const { db, clock, randomValues } = context;

  const byNumber = (phone: PhoneNumber): Phone | undefined =>
    optional(db.get<PhoneRow>(`${selectPhone} WHERE p.phone = ?`, phone), toPhone);

  const find = (address: string): Phone | undefined => {
    const who = readUserAddress(address);
    if (!who) return undefined;
    if ('phone' in who) return registered(byNumber(who.phone));
    return registered(optional(db.get<PhoneRow>(`${selectPhone} WHERE p.lid = ?`, who.lid), toPhone));
  };

  const get = (phone: PhoneNumber): Phone => {
    const found = byNumber(phone);
    if (!found) throw absent(phone);
    return found;
  };

  const write = (phone: Phone): void => {
    db.run(
      `UPDATE phones SET name = ?, about = ?, business_name = ?, auto_read = ?, hides_photo = ?, lid_mode = ?,
         addressing = ?, requires_passkey = ?, passkey_rp_id = ?, refreshes_pairing = ?, other_spelling = ?,
         edits = ?, username = ?, username_key = ?, hides_phone = ?
       WHERE phone = ?`,
      phone.name,
      phone.about,
      phone.businessName ?? null,
      Number(phone.autoRead),
      Number(phone.hidesPhoto),
      Number(phone.lidMode),
      phone.addressing,
      Number(phone.requiresPasskey),
      phone.passkeyRpId,
      Number(phone.refreshesPairing),
      phone.otherSpelling ?? null,
      phone.edits,
      phone.username ?? null,
      phone.usernameKey ?? null,
      Number(phone.hidesPhone),
      phone.phone,
    );
  };

  const findByUsername = (username: string): Phone | undefined =>
    optional(db.get<PhoneRow>(`${selectPhone} WHERE lower(p.username) = lower(?)`, username), toPhone);

  const findByNumber = (number: string): Phone | undefined =>
    registered(byNumber(number)) ??
    optional(db.get<PhoneRow>(`${selectPhone} WHERE p.other_spelling = ?`, number), toPhone);

  const refuseNumber = (number: PhoneNumber): void => {
    if (!numberShape.test(number)) {
      throw new WorldError('bad_request', 'phone takes 5 to 15 digits in international form without +');
    }
    if (byNumber(number) ?? findByNumber(number))
      throw new WorldError('conflict', `phone ${number} exists already`);
  };

  const refuseName = (owner: PhoneNumber, { username, usernameKey }: Partial<PhoneSettings>): void => {
    if (usernameKey !== undefined && username === undefined) {
      throw new WorldError('bad_request', 'a username_key belongs to a username');
    }
    const holder = username === undefined ? undefined : findByUsername(username);
    if (holder && holder.phone !== owner) {
      throw new WorldError('conflict', `the username ${username} is taken`);
    }
  };

  return {
    get,
    find,
    findByNumber,
    findByUsername,
    list: () => db.all<PhoneRow>(`${selectPhone} WHERE p.changed_to IS NULL ORDER BY p.phone`).map(toPhone),
    person(phone) {
      const row = db.get<PersonRow>(
        'SELECT phone, lid, name, lid_mode, addressing, username, hides_phone FROM phones WHERE phone = ?',
        phone,
      );
      if (!row) throw absent(phone);
      return toPerson(row);
    },
    require(address) {
      if (!readUserAddress(address)) {
        throw new WorldError('bad_request', `${address} is not the address of a person`);
      }
      const phone = find(address);
      if (!phone) throw new WorldError('not_registered', `${address} is not on this network`);
      return phone;
    },
    create: (phone, settings) =>
      context.act(() => {
        refuseNumber(phone);
        if (settings.otherSpelling !== undefined) refuseNumber(settings.otherSpelling);
        refuseName(phone, settings);
        db.run(
          `INSERT INTO phones (phone, lid, name, about, business_name, auto_read, hides_photo, lid_mode, addressing,
             requires_passkey, passkey_rp_id, refreshes_pairing, other_spelling, edits, username, username_key,
             hides_phone, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          phone,
          randomValues.digits(15),
          settings.name,
          settings.about ?? defaultAbout,
          settings.businessName ?? null,
          Number(settings.autoRead ?? false),
          Number(settings.hidesPhoto ?? false),
          Number(settings.lidMode ?? false),
          settings.addressing ?? defaultAddressing,
          Number(settings.requiresPasskey ?? false),
          settings.passkeyRpId ?? defaultRpId,
          Number(settings.refreshesPairing ?? false),
          settings.otherSpelling ?? null,
          settings.edits ?? 'encrypted',
          settings.username ?? null,
          settings.usernameKey ?? null,
          Number(settings.hidesPhone ?? false),
          clock.now(),
        );
        return get(phone);
      }),
    update: (actor, changes: Partial<PhoneSettings>) =>
      context.act(() => {
        const before = get(actor.phone);
        const after = { ...before, ...changes };
        refuseName(actor.phone, after);
        write(after);
        const news = {
          ...(after.name !== before.name && { name: after.name }),
          ...(after.about !== before.about && { about: after.about }),
        };
        if (Object.keys(news).length > 0) notifyContactOwners(personOf(after), news);
        return get(actor.phone);
      }),
    deviceNumbers: (phone) => [
      0,
      ...db
        .all<{ device: number }>('SELECT device FROM devices WHERE phone = ? ORDER BY device', phone)
        .map((row) => row.device),
    ],
  };
}

export const personOf = (person: Person): Person => {
  const { phone, lid, name, lidMode, addressing, username, hidesPhone } = person;
  return { phone, lid, name, lidMode, addressing, username, hidesPhone };
};

/** Undefined for a number that its account has given up. */
const registered = (phone: Phone | undefined): Phone | undefined =>
  phone?.changedTo === undefined ? phone : undefined;

const absent = (phone: PhoneNumber) => new WorldError('not_found', `there is no virtual phone ${phone}`);

function optional<A, B>(value: A | undefined, map: (value: A) => B): B | undefined {
  return value === undefined ? undefined : map(value);
}

const toPerson = ({ phone, lid, name, lid_mode, addressing, username, hides_phone }: PersonRow) =>
  ({
    phone,
    lid,
    name,
    lidMode: lid_mode === 1,
    addressing: lid_mode === 1 || hides_phone === 1 ? 'lid' : addressing,
    username: username ?? undefined,
    hidesPhone: hides_phone === 1,
  }) satisfies Person;

const toPhone = (row: PhoneRow): Phone => ({
  ...toPerson(row),
  about: row.about,
  businessName: row.business_name ?? undefined,
  autoRead: row.auto_read === 1,
  hidesPhoto: row.hides_photo === 1,
  online: row.online === 1,
  lastSeenAt: row.last_seen_at ?? undefined,
  duplicatesDropped: row.duplicates_dropped,
  bannedUntil: row.banned_until ?? undefined,
  locked: row.locked === 1,
  changedTo: row.changed_to ?? undefined,
  requiresPasskey: row.requires_passkey === 1,
  passkeyRpId: row.passkey_rp_id,
  refreshesPairing: row.refreshes_pairing === 1,
  otherSpelling: row.other_spelling ?? undefined,
  edits: row.edits,
  usernameKey: row.username_key ?? undefined,
  createdAt: row.created_at,
});
