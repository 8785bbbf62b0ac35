import { proto, type WAPatchName } from 'baileys';
import type { PhoneNumber, World } from '../../world/index.ts';
import type { Collections } from './collections.ts';
import { field } from './syncd.ts';

/** The account's own settings in its app state, besides its address book. */
export interface AccountSettings {
  /** Writes the settings that changed since the last write. */
  publish(phone: PhoneNumber): Promise<void>;
}

const VERSION = 1;
/** `SyncActionValue.nctSaltSyncAction`, which the library does not have yet. */
const NCT_SALT_FIELD = 80;

const publishedScope = (phone: PhoneNumber): string => `app-state.settings.${phone}`;

export function createAccountSettings({
  world: { phones, tokens, vault },
  collections,
}: {
  world: Pick<World, 'phones' | 'tokens' | 'vault'>;
  collections: Collections;
}): AccountSettings {
  const publish = async (
    phone: PhoneNumber,
    name: WAPatchName,
    key: string,
    value: Uint8Array,
  ): Promise<void> => {
    const said = vault.read(publishedScope(phone), key);
    if (said && Buffer.from(said).equals(value)) return;
    vault.write(publishedScope(phone), key, value);
    await collections.write(phone, name, [{ index: [key], version: VERSION, value }]);
  };

  return {
    async publish(phone) {
      const { name } = phones.get(phone);
      const named = proto.SyncActionValue.encode({ pushNameSetting: { name } }).finish();
      const salted = field(NCT_SALT_FIELD, field(1, tokens.nctSalt(phone)));
      await publish(phone, 'critical_block', 'setting_pushName', named);
      await publish(phone, 'regular_high', 'nct_salt_sync', salted);
    },
  };
}
