import type { GroupChange } from '../devices/items.ts';
import type { MailboxWriter } from '../devices/mailbox.ts';
import type { Devices } from '../devices/types.ts';
import type { GroupRegister } from '../groups/group-register.ts';
import type { PhoneNumber } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { PhoneStore } from './phones.ts';
import type { Handsets } from './types.ts';

interface HandsetsNeeds {
  context: WorldContext;
  phones: PhoneStore;
  devices: Devices;
  register: GroupRegister;
  mailboxes: MailboxWriter;
  /** People who may write to this person. */
  correspondentsOf(phone: PhoneNumber): Iterable<PhoneNumber>;
}

interface HandsetRow {
  installation: number;
  signed_pre_key: number;
  past_bytes: number;
}

export function createHandsets({
  context,
  phones,
  devices,
  register,
  mailboxes,
  correspondentsOf,
}: HandsetsNeeds): Handsets {
  const { db, clock } = context;

  const row = (phone: PhoneNumber): HandsetRow =>
    db.get<HandsetRow>(
      'SELECT installation, signed_pre_key, past_bytes FROM phones WHERE phone = ?',
      phone,
    ) ?? {
      installation: 0,
      signed_pre_key: 1,
      past_bytes: 0,
    };

  const unlinkAll = (phone: PhoneNumber): void => {
    for (const { sessionId } of devices.of(phone)) devices.unlink(sessionId);
  };

  return {
    keyOf(phone) {
      const { installation } = row(phone);
      return installation === 0 ? phone : `${phone}#${installation}`;
    },
    signedPreKeyId: (phone) => row(phone).signed_pre_key,
    rotateSignedPreKey(phone) {
      context.act(() => {
        phones.get(phone);
        db.run('UPDATE phones SET signed_pre_key = signed_pre_key + 1 WHERE phone = ?', phone);
      });
    },
    pastBytes: (phone) => row(phone).past_bytes,
    lengthenPast(phone, bytes) {
      context.act(() => {
        phones.get(phone);
        db.run('UPDATE phones SET past_bytes = ? WHERE phone = ?', bytes, phone);
      });
    },
    reinstall(phone) {
      context.act(() => {
        const person = phones.person(phone);
        unlinkAll(phone);
        db.run(
          'UPDATE phones SET installation = installation + 1, signed_pre_key = 1 WHERE phone = ?',
          phone,
        );
        for (const other of correspondentsOf(phone)) {
          mailboxes.notify(other, { kind: 'identity', person, at: clock.now() });
        }
      });
    },
    changeNumber: (phone, to) =>
      context.act(() => {
        const before = phones.get(phone);
        const old = phones.person(phone);
        const correspondents = new Set(correspondentsOf(phone));
        const groups = register.of(phone);
        unlinkAll(phone);
        // names and spellings are unique, so the old number gives them up first
        phones.update(
          { phone, device: 0 },
          { username: undefined, usernameKey: undefined, otherSpelling: undefined },
        );
        phones.create(to, { ...before, otherSpelling: undefined });
        const fresh = phones.person(to);
        db.run('UPDATE phones SET changed_to = ? WHERE phone = ?', to, phone);
        db.run('UPDATE members SET phone = ? WHERE phone = ?', to, phone);
        db.run('INSERT INTO privacy SELECT ?, name, value, excluded FROM privacy WHERE phone = ?', to, phone);
        db.run('DELETE FROM join_requests WHERE phone = ?', phone);
        const at = clock.now();
        for (const other of correspondents) {
          if (other !== phone) mailboxes.notify(other, { kind: 'number_changed', old, fresh, at });
        }
        for (const group of groups) {
          for (const member of register.members(group)) {
            const change: GroupChange = { type: 'number_changed', persons: [fresh] };
            mailboxes.notify(member, { kind: 'group', group, by: old, change, at });
          }
        }
        return phones.get(to);
      }),
  };
}
