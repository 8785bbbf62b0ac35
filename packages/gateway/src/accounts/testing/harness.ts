import type { Account, Plan } from '@parley/contract';
import { createIds, createSteppedClock, systemRandom, type TravelClock } from '#kernel';
import type { Store } from '#platform/store';
import { createAccount } from '../accounts.ts';
import type { AccountsContext } from '../context.ts';
import { registerDevice } from '../devices/devices.ts';

/** The room as a test uses it: on a clock of its own, which stands at the first day of 2026. */
export interface TestHarness extends AccountsContext {
  readonly clock: TravelClock;
}

export function createHarness({ store }: { store: Store }): TestHarness {
  const clock = createSteppedClock(Date.UTC(2026, 0, 1));
  return { store, clock, random: systemRandom, ids: createIds({ clock, random: systemRandom }) };
}

let made = 0;

export function newAccount(context: AccountsContext, name = 'Ada'): Promise<Account> {
  return createAccount(context, 'operator', { name, email: `${name}-${++made}@example.com` });
}

export function newPhone(): string {
  return `1555${String(++made).padStart(7, '0')}`;
}

export async function newNumber(context: AccountsContext, plan: Plan = 'pro') {
  const account = await newAccount(context);
  const device = await registerDevice(context, 'operator', account.account_id, { phone: newPhone(), plan });
  return { account, device };
}

export interface AuditEntry {
  readonly action: string;
  readonly actor: string;
  readonly account_id: string | null;
  readonly subject: string;
}

/** The audit log, oldest entry first. */
export function auditLog(store: Store): Promise<AuditEntry[]> {
  return store.read
    .selectFrom('audit_log')
    .select(['action', 'actor', 'account_id', 'subject'])
    .orderBy('number')
    .execute();
}

/** Moves the clock to a day at the time of day that it has. */
export function travelTo(clock: TravelClock, date: string): void {
  clock.advance(Date.parse(`${date}T00:00:00Z`) - clock.now());
}

/** What the hot path of sending will do: counts a message in the running period. */
export async function countSends(context: AccountsContext, slotId: string, sends: number): Promise<void> {
  const now = context.clock.now();
  await context.store.transaction((trx) =>
    trx
      .updateTable('device_periods')
      .set((row) => ({ used: row('used', '+', sends) }))
      .where('slot_id', '=', slotId)
      .where('started_at', '<=', now)
      .where('ends_at', '>', now)
      .execute(),
  );
}
