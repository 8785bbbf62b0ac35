import { type Actor, type PhoneNumber, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import type { PhoneStore } from './phones.ts';
import { PRIVACY_VALUES, type Privacy, type PrivacySetting } from './types.ts';

interface PrivacyNeeds {
  context: WorldContext;
  phones: PhoneStore;
  hasContact(owner: PhoneNumber, phone: PhoneNumber): boolean;
  hasChat(phone: PhoneNumber, other: PhoneNumber): boolean;
}

interface PrivacyRow {
  name: PrivacySetting;
  value: string;
  excluded: string;
}

const isSetting = (name: string): name is PrivacySetting => Object.hasOwn(PRIVACY_VALUES, name);

/** What people let others see and do. */
export function createPrivacy({ context, phones, hasContact, hasChat }: PrivacyNeeds): Privacy {
  const { db } = context;

  const find = (phone: PhoneNumber, name: PrivacySetting): { value: string; excluded: PhoneNumber[] } => {
    const row = db.get<PrivacyRow>('SELECT * FROM privacy WHERE phone = ? AND name = ?', phone, name);
    return row
      ? { value: row.value, excluded: JSON.parse(row.excluded) }
      : { value: PRIVACY_VALUES[name][0], excluded: [] };
  };

  const lets = (owner: PhoneNumber, name: PrivacySetting, other: PhoneNumber): boolean => {
    if (owner === other) return true;
    const { value, excluded } = find(owner, name);
    switch (value) {
      case 'none':
        return false;
      case 'contacts':
        return hasContact(owner, other);
      case 'contact_blacklist':
        return hasContact(owner, other) && !excluded.includes(other);
      case 'known':
        return hasContact(owner, other) || hasChat(owner, other);
      case 'match_last_seen':
        return lets(owner, 'last', other);
      default:
        return true;
    }
  };

  return {
    of(phone) {
      phones.get(phone);
      const names = Object.keys(PRIVACY_VALUES).filter(isSetting);
      return names.map((name) => ({ name, value: find(phone, name).value }));
    },
    set({ phone }: Actor, name, value, changes = []) {
      context.act(() => {
        const values: readonly string[] = isSetting(name) ? PRIVACY_VALUES[name] : [];
        if (!isSetting(name) || !values.includes(value)) {
          throw new WorldError('bad_request', `${value} is no value of the privacy setting ${name}`);
        }
        const excluded = new Set(find(phone, name).excluded);
        for (const { who, excludes } of changes) {
          const other = phones.require(who).phone;
          if (excludes) excluded.add(other);
          else excluded.delete(other);
        }
        db.run(
          `INSERT INTO privacy (phone, name, value, excluded) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET value = excluded.value, excluded = excluded.excluded`,
          phone,
          name,
          value,
          JSON.stringify(value === 'contact_blacklist' ? [...excluded] : []),
        );
      });
    },
    lets,
  };
}
