import type { Account, ApiKeyCreated, Device, Permission, Plan } from '@parley/contract';
import type { TestGateway } from './gateway.ts';

/** An account with a number and a key that may do everything. */
export interface Tenant {
  readonly accountId: string;
  readonly phone: string;
  readonly slotId: string;
  readonly sessionId: string;
  readonly apiKey: string;
  readonly keyId: string;
  makeKey(options?: {
    permissions?: readonly Permission[];
    phone?: string;
    expires_at?: string;
  }): Promise<string>;
}

let made = 0;

export async function moveIn(gateway: TestGateway, plan: Plan = 'max'): Promise<Tenant> {
  const number = String(++made).padStart(6, '0');
  const phone = `15551${number}`;
  const account = { name: `Tenant ${number}`, email: `tenant-${number}@example.com` };
  const { account_id } = await gateway.operate<Account>('POST', '/accounts', account);
  const path = `/accounts/${account_id}`;
  const device = await gateway.operate<Device>('POST', `${path}/devices`, { phone, plan });
  const newKey = (options: object = {}) =>
    gateway.operate<ApiKeyCreated>('POST', `${path}/api-keys`, { name: 'test', ...options });
  const { api_key, key_id } = await newKey();
  return {
    accountId: account_id,
    phone,
    slotId: device.slot_id,
    sessionId: `${phone}:1@s.whatsapp.net`,
    apiKey: api_key,
    keyId: key_id,
    makeKey: async (options) => (await newKey(options)).api_key,
  };
}
