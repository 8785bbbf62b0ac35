import type { PostOffice } from '../devices/mailbox.ts';
import type { Ground } from '../ground.ts';
import type { GroupRegister } from '../groups/group-register.ts';
import { directJid, isChannelJid, isGroupJid } from '../jids.ts';
import { type Actor, type Phone, type Photo, WorldError } from '../types.ts';
import type { PhoneBook } from './phones.ts';
import type { Photos } from './types.ts';

export interface PhotoAlbum extends Photos {
  /** Stores without asking or telling anybody. */
  store(owner: string, bytes: Uint8Array | undefined): string | undefined;
}

interface PhotosNeeds {
  ground: Ground;
  phones: PhoneBook;
  groups: GroupRegister;
  post: PostOffice;
  acquaintancesOf(phone: string): string[];
}

/** Keeps a photo in one size; a preview is drawn for whoever downloads it. */
export function createPhotos({ ground, phones, groups, post, acquaintancesOf }: PhotosNeeds): PhotoAlbum {
  const { db, clock, chance } = ground;

  const store = (owner: string, bytes: Uint8Array | undefined): string | undefined => {
    db.run('DELETE FROM photos WHERE owner = ?', owner);
    if (!bytes || bytes.byteLength === 0) return undefined;
    const id = chance.digits(10);
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
      post.tell(member, { kind: 'picture', jid, by, pictureId, at: clock.now() }, actor);
    }
    return pictureId;
  };

  const setOwnPhoto = (actor: Actor, owner: Phone, bytes: Uint8Array | undefined): string | undefined => {
    if (owner.phone !== actor.phone) throw new WorldError('forbidden', 'only the own photo can be changed');
    const pictureId = store(owner.phone, bytes);
    const by = phones.person(actor.phone);
    for (const phone of [owner.phone, ...acquaintancesOf(owner.phone)]) {
      if (phone !== owner.phone && owner.hidesPhoto) continue;
      post.tell(phone, { kind: 'picture', jid: directJid(by), by, pictureId, at: clock.now() }, actor);
    }
    return pictureId;
  };

  return {
    store,
    idOf: (owner) => db.get<{ id: string }>('SELECT id FROM photos WHERE owner = ?', owner)?.id,
    set: (actor, target, bytes) =>
      ground.act(() =>
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
      if (owner.hidesPhoto && owner.phone !== viewer) {
        throw new WorldError('forbidden', 'the photo is hidden from you');
      }
      return photo;
    },
    byId(id) {
      const row = db.get<{ id: string; bytes: Uint8Array }>('SELECT id, bytes FROM photos WHERE id = ?', id);
      return row && { ...row, type: 'image' };
    },
  };
}
