import type { MailboxWriter } from '../devices/mailbox.ts';
import type { GroupRegister } from '../groups/group-register.ts';
import { directJid, isChannelJid, isGroupJid } from '../jids.ts';
import { type Actor, type Phone, type Photo, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { PhoneStore } from './phones.ts';
import type { Photos, Privacy } from './types.ts';

export interface PhotoStore extends Photos {
  /** Stores without permission check and without notifications. */
  store(owner: string, bytes: Uint8Array | undefined): string | undefined;
}

interface PhotosNeeds {
  context: WorldContext;
  phones: PhoneStore;
  groups: GroupRegister;
  mailboxes: MailboxWriter;
  contactOwnersOf(phone: string): string[];
  privacy: Pick<Privacy, 'lets'>;
}

/** Stores a photo in one size; previews are made on download. */
export function createPhotos({
  context,
  phones,
  groups,
  mailboxes,
  contactOwnersOf,
  privacy,
}: PhotosNeeds): PhotoStore {
  const { db, clock, randomValues } = context;

  const store = (owner: string, bytes: Uint8Array | undefined): string | undefined => {
    db.run('DELETE FROM photos WHERE owner = ?', owner);
    if (!bytes || bytes.byteLength === 0) return undefined;
    const id = randomValues.digits(10);
    db.run('INSERT INTO photos (owner, id, bytes) VALUES (?, ?, ?)', owner, id, bytes);
    return id;
  };

  const require = (owner: string, type: Photo['type']): Photo => {
    const row = db.get<{ id: string; bytes: Uint8Array }>(
      'SELECT id, bytes FROM photos WHERE owner = ?',
      owner,
    );
    if (!row) throw new WorldError('not_found', 'no photo was ever set');
    return { ...row, type };
  };

  const setGroupPhoto = (actor: Actor, jid: string, bytes: Uint8Array | undefined): string | undefined => {
    groups.requireInfoRights(actor, jid);
    const pictureId = store(jid, bytes);
    const by = phones.person(actor.phone);
    for (const member of groups.members(jid)) {
      mailboxes.notify(member, { kind: 'picture', jid, by, pictureId, at: clock.now() }, actor);
    }
    return pictureId;
  };

  const isHidden = ({ phone, hidesPhoto }: Phone, viewer: string): boolean =>
    phone !== viewer && (hidesPhoto || !privacy.lets(phone, 'profile', viewer));

  const setOwnPhoto = (actor: Actor, owner: Phone, bytes: Uint8Array | undefined): string | undefined => {
    if (owner.phone !== actor.phone) throw new WorldError('forbidden', 'only the own photo can be changed');
    const pictureId = store(owner.phone, bytes);
    const by = phones.person(actor.phone);
    for (const phone of [owner.phone, ...contactOwnersOf(owner.phone)]) {
      if (isHidden(owner, phone)) continue;
      mailboxes.notify(phone, { kind: 'picture', jid: directJid(by), by, pictureId, at: clock.now() }, actor);
    }
    return pictureId;
  };

  return {
    store,
    idOf: (owner) => db.get<{ id: string }>('SELECT id FROM photos WHERE owner = ?', owner)?.id,
    set: (actor, target, bytes) =>
      context.act(() =>
        isGroupJid(target)
          ? setGroupPhoto(actor, target, bytes)
          : setOwnPhoto(actor, phones.require(target), bytes),
      ),
    get(viewer, target, type) {
      if (isGroupJid(target)) {
        groups.requireMember({ phone: viewer, device: 0 }, target);
        return require(target, type);
      }
      if (isChannelJid(target)) return require(target, type);
      const owner = phones.require(target);
      const photo = require(owner.phone, type);
      if (isHidden(owner, viewer)) {
        throw new WorldError('forbidden', 'the photo is hidden from this viewer');
      }
      return photo;
    },
    byId(id) {
      const row = db.get<{ id: string; bytes: Uint8Array }>('SELECT id, bytes FROM photos WHERE id = ?', id);
      return row && { ...row, type: 'image' };
    },
  };
}
