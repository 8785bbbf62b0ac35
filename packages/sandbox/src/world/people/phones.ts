import type { Ground } from '../ground.ts';
import { readUserAddress } from '../jids.ts';
import {
  type Addressing,
  type Person,
  type Phone,
  type PhoneNumber,
  type PhoneSettings,
  WorldError,
} from '../types.ts';
import type { Phones } from './types.ts';

/** What the other nouns need of phones beside the public side. */
export interface PhoneBook extends Phones {
  /** `not_registered` when the address is well formed and nobody has it, `bad_request` when it is none. */
  require(address: string): Phone;
}

interface PersonRow {
  phone: string;
  lid: string;
  name: string;
  lid_mode: number;
  addressing: Addressing;
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
  requires_passkey: number;
  passkey_rp_id: string;
  created_at: number;
}

const numberShape = /^[1-9]\d{4,14}$/;
/** So that the pages of a gateway on this machine can use passkeys of this network. */
const defaultRpId = 'localhost';
const defaultAbout = 'Hey there! I am using WhatsApp.';

/** A person is online while the phone is, or while one of the linked devices says so. */
const selectPhone = `
  SELECT p.*, (p.online OR EXISTS (SELECT 1 FROM devices d WHERE d.phone = p.phone AND d.available)) AS online
  FROM phones p`;

interface PhonesNeeds {
  ground: Ground;
  /** Of phones that do not say. */
  defaultAddressing: Addressing;
  /** Tells everybody who has this person in their address book. */
  tellAcquaintances(person: Person, changes: { name?: string; about?: string }): void;
}

export function createPhones({ ground, defaultAddressing, tellAcquaintances }: PhonesNeeds): PhoneBook {
  const { db, clock, chance } = ground;

  const byNumber = (phone: PhoneNumber): Phone | undefined =>
    optional(db.get<PhoneRow>(`${selectPhone} WHERE p.phone = ?`, phone), toPhone);

  const find = (address: string): Phone | undefined => {
    const who = readUserAddress(address);
    if (!who) return undefined;
    if ('phone' in who) return byNumber(who.phone);
    return optional(db.get<PhoneRow>(`${selectPhone} WHERE p.lid = ?`, who.lid), toPhone);
  };

  const get = (phone: PhoneNumber): Phone => {
    const found = byNumber(phone);
    if (!found) throw absent(phone);
    return found;
  };

  const write = (phone: Phone): void => {
    db.run(
      `UPDATE phones SET name = ?, about = ?, business_name = ?, auto_read = ?, hides_photo = ?, lid_mode = ?,
         addressing = ?, requires_passkey = ?, passkey_rp_id = ?
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
      phone.phone,
    );
  };

  return {
    get,
    find,
    list: () => db.all<PhoneRow>(`${selectPhone} ORDER BY p.phone`).map(toPhone),
    person(phone) {
      const row = db.get<PersonRow>(
        'SELECT phone, lid, name, lid_mode, addressing FROM phones WHERE phone = ?',
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
      ground.act(() => {
        if (!numberShape.test(phone)) {
          throw new WorldError('bad_request', 'phone takes 5 to 15 digits in international form without +');
        }
        if (byNumber(phone)) throw new WorldError('conflict', `phone ${phone} exists already`);
        db.run(
          `INSERT INTO phones (phone, lid, name, about, business_name, auto_read, hides_photo, lid_mode, addressing,
             requires_passkey, passkey_rp_id, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          phone,
          chance.digits(15),
          settings.name,
          settings.about ?? defaultAbout,
          settings.businessName ?? null,
          Number(settings.autoRead ?? false),
          Number(settings.hidesPhoto ?? false),
          Number(settings.lidMode ?? false),
          settings.addressing ?? defaultAddressing,
          Number(settings.requiresPasskey ?? false),
          settings.passkeyRpId ?? defaultRpId,
          clock.now(),
        );
        return get(phone);
      }),
    update: (actor, changes: Partial<PhoneSettings>) =>
      ground.act(() => {
        const before = get(actor.phone);
        const after = { ...before, ...changes };
        write(after);
        const news = {
          ...(after.name !== before.name && { name: after.name }),
          ...(after.about !== before.about && { about: after.about }),
        };
        if (Object.keys(news).length > 0) tellAcquaintances(personOf(after), news);
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

export const personOf = ({ phone, lid, name, lidMode, addressing }: Person): Person => ({
  phone,
  lid,
  name,
  lidMode,
  addressing,
});

const absent = (phone: PhoneNumber) => new WorldError('not_found', `there is no virtual phone ${phone}`);

function optional<A, B>(value: A | undefined, map: (value: A) => B): B | undefined {
  return value === undefined ? undefined : map(value);
}

const toPerson = ({ phone, lid, name, lid_mode, addressing }: PersonRow): Person => ({
  phone,
  lid,
  name,
  lidMode: lid_mode === 1,
  addressing: lid_mode === 1 ? 'lid' : addressing,
});

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
  requiresPasskey: row.requires_passkey === 1,
  passkeyRpId: row.passkey_rp_id,
  createdAt: row.created_at,
});
