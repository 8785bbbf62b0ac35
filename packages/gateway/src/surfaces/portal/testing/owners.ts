import type { Account, PortalNumber } from '@parley/contract';
import { quickHash } from '#accounts/testing';
import type { TestGateway } from '#testing';
import { type Browser, openBrowser } from './browser.ts';

export const PASSWORD = 'correct horse battery';

/** An account, and the browser in which its owner is signed in. */
export interface Owner {
  readonly browser: Browser;
  readonly accountId: string;
  readonly email: string;
}

let made = 0;

export async function signIn(gateway: TestGateway, { address }: { address?: string } = {}): Promise<Owner> {
  const email = `owner-${++made}@example.com`;
  const account = await gateway.operate<Account>('POST', '/accounts', { name: `Owner ${made}`, email });
  await setQuickPassword(gateway, email);
  const browser = openBrowser(gateway, address);
  await browser.post('/sign-in', { email, password: PASSWORD });
  return { browser, accountId: account.account_id, email };
}

async function setQuickPassword(gateway: TestGateway, email: string): Promise<void> {
  const password_hash = quickHash(PASSWORD);
  await gateway.app.store.transaction((trx) =>
    trx.updateTable('accounts').set({ password_hash }).where('email', '=', email).execute(),
  );
}

let phones = 0;

/** A number that no account has. */
export function newPhone(): string {
  return `15557${String(++phones).padStart(6, '0')}`;
}

export function register({ browser }: Owner, plan = 'max', phone = newPhone()): Promise<PortalNumber> {
  return browser.post<PortalNumber>('/numbers', { phone, plan });
}
