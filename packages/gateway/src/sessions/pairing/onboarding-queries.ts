import { ONBOARDING_LIFETIME_SECONDS, type PasskeyErrorCode } from '@parley/contract';
import { type Actor, auditedTransaction, record } from '#accounts';
import { DAY_MS } from '#kernel';
import type { OwnedNumber } from '#platform/http';
import type { OnboardingRow, Reader, Store, Writer } from '#platform/store';
import {
  type ClaimedSession,
  enqueueUnlinkJob,
  keepLink,
  lockedFor,
  lockNumber,
} from '../session-queries.ts';
import { dropOldOwnerLinks, insertOwnerLink, type NewOwnerLink } from './owner-link-queries.ts';

type Db = Pick<Reader, 'selectFrom'>;

export interface NewOnboarding {
  readonly id: string;
  readonly linkId: string;
  readonly number: OwnedNumber;
  readonly method: OnboardingRow['method'];
  readonly at: number;
  readonly by: Actor | undefined;
}

const REPLACED = 'A newer pairing attempt has replaced this one.';

/** The registered number, if the account owns it. */
export function findDevice(db: Db, accountId: string, slotId: string) {
  const device = db.selectFrom('devices').selectAll().where('slot_id', '=', slotId);
  return device.where('account_id', '=', accountId).where('removed_at', 'is', null).executeTakeFirst();
}

/** Opens an attempt; one that is still open for the number ends. `mayStart` refuses inside the same transaction. */
export async function openOnboarding(
  store: Store,
  { id, linkId, number, method, at, by }: NewOnboarding,
  mayStart: (db: Db) => Promise<void>,
): Promise<void> {
  await auditedTransaction(store, async (trx) => {
    await lockNumber(store, trx, number.slotId);
    await mayStart(trx);
    const replaced = await trx
      .updateTable('onboardings')
      .set({ ...ended(at), status: 'error', error: REPLACED })
      .where('slot_id', '=', number.slotId)
      .where('ended_at', 'is', null)
      .returning('link_id')
      .execute();
    for (const older of replaced) await enqueueUnlinkJob(trx, { linkId: older.link_id, fence: 1, at });
    await trx
      .insertInto('onboardings')
      .values({
        id,
        account_id: number.accountId,
        slot_id: number.slotId,
        phone: number.phone,
        method,
        link_id: linkId,
        status: 'pending',
        shown: null,
        shown_until: null,
        answer: null,
        session_id: null,
        error: null,
        error_code: null,
        worker: null,
        created_at: at,
        expires_at: at + ONBOARDING_LIFETIME_SECONDS * 1_000,
        ended_at: null,
      })
      .execute();
    await recordPairing(trx, at, { by, action: 'pairing.started', id, ...number });
  });
}

async function recordPairing(
  trx: Writer,
  at: number,
  { by, action, id, accountId, phone }: PairingChange,
): Promise<void> {
  if (by) await record(trx, at, { actor: by, accountId, action, subject: id, detail: { phone } });
}

interface PairingChange extends Pick<OwnedNumber, 'accountId' | 'phone'> {
  /** Undefined: no actor with a login. */
  readonly by: Actor | undefined;
  readonly action: 'pairing.started' | 'pairing.canceled';
  readonly id: string;
}

/** Values shown and answered are of no use after the end of an attempt. */
function ended(at: number) {
  return { shown: null, shown_until: null, answer: null, ended_at: at } as const;
}

export function findOpenOnboarding(db: Db, slotId: string): Promise<OnboardingRow | undefined> {
  return db
    .selectFrom('onboardings')
    .selectAll()
    .where('slot_id', '=', slotId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

export function findOnboarding(db: Db, accountId: string, id: string): Promise<OnboardingRow | undefined> {
  return db
    .selectFrom('onboardings')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Assigns attempts without a worker to this one. */
export async function takeOnboardings(
  store: Store,
  { worker, now }: { worker: string; now: number },
): Promise<OnboardingRow[]> {
  const waiting = store.read
    .selectFrom('onboardings')
    .select('id')
    .where('ended_at', 'is', null)
    .where('worker', 'is', null)
    .where('expires_at', '>', now);
  if ((await waiting.execute()).length === 0) return [];
  return store.transaction((trx) =>
    trx
      .with('waiting', () => lockedFor(store, waiting))
      .updateTable('onboardings')
      .set({ worker })
      .where('id', 'in', (db) => db.selectFrom('waiting').select('waiting.id'))
      .returningAll()
      .execute(),
  );
}

/** Open attempts of the worker, each with the answer of its owner. */
export async function openOnboardingsOf(db: Db, worker: string): Promise<Map<string, Uint8Array | null>> {
  const rows = await db
    .selectFrom('onboardings')
    .select(['id', 'answer'])
    .where('worker', '=', worker)
    .where('ended_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, answer }) => [id, answer]));
}

export interface Showing {
  readonly status: 'qr' | 'code' | 'passkey' | 'confirm';
  readonly shown: Uint8Array;
  /** When a fresh value is expected instead. */
  readonly until?: number;
  /** New end of the attempt. */
  readonly expiresAt?: number;
  /** Link for the owner to this attempt. */
  readonly link?: NewOwnerLink;
}

/** False when the attempt is over. */
export async function showOnboarding(store: Store, id: string, showing: Showing): Promise<boolean> {
  const { status, shown, until = null, expiresAt, link } = showing;
  return store.transaction(async (trx) => {
    const changed = await trx
      .updateTable('onboardings')
      .set({
        status,
        shown,
        shown_until: until,
        answer: null,
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    const isOpen = Number(changed.numUpdatedRows) > 0;
    if (isOpen && link) await insertOwnerLink(trx, { onboardingId: id }, link);
    return isOpen;
  });
}

/**
 * Stores the owner's answer until the worker has read it. False when the attempt does not show that question any
 * more: an answer counts once, for its own question.
 */
export async function answerOnboarding(
  store: Store,
  id: string,
  { shown, answer, now }: { shown: Uint8Array; answer: Uint8Array; now: number },
): Promise<boolean> {
  const changed = await store.transaction((trx) =>
    trx
      .updateTable('onboardings')
      .set({ status: 'pending', shown: null, answer })
      .where('id', '=', id)
      .where('shown', '=', shown)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst(),
  );
  return Number(changed.numUpdatedRows) > 0;
}

export type Outcome =
  | { readonly status: 'paired'; readonly session_id: string }
  | { readonly status: 'error'; readonly error: string; readonly error_code?: PasskeyErrorCode };

/** False when it was over already. */
export async function endOnboarding(
  db: Pick<Writer, 'updateTable'>,
  id: string,
  outcome: Outcome,
  at: number,
): Promise<boolean> {
  const changed = await db
    .updateTable('onboardings')
    .set({ ...ended(at), ...outcome })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return Number(changed.numUpdatedRows) > 0;
}

export interface NewPairing {
  readonly onboarding: OnboardingRow;
  readonly sessionId: string;
  readonly lid: string | null;
  readonly worker: string;
  readonly at: number;
}

/**
 * Links the number after its phone has agreed, with the worker as host. Undefined when the attempt was over or its
 * device is gone: then the link becomes an unlink job. The attempt stays open until the session is connected.
 */
export async function keepPairing(store: Store, pairing: NewPairing): Promise<ClaimedSession | undefined> {
  const { onboarding, sessionId, lid, worker, at } = pairing;
  const { id, link_id: linkId, slot_id: slotId, account_id: accountId, phone } = onboarding;
  return auditedTransaction(store, async (trx) => {
    await lockNumber(store, trx, slotId);
    const open = await trx
      .selectFrom('onboardings')
      .innerJoin('devices', 'devices.slot_id', 'onboardings.slot_id')
      .select('devices.plan')
      .where('onboardings.id', '=', id)
      .where('onboardings.ended_at', 'is', null)
      .executeTakeFirst();
    if (!open) {
      await enqueueUnlinkJob(trx, { linkId, fence: 1, at });
      return undefined;
    }
    const number = { slotId, accountId, phone, plan: open.plan };
    const linked = { accountId, action: 'session.linked', subject: sessionId, detail: { phone } } as const;
    await record(trx, at, { actor: 'system', ...linked });
    return keepLink(trx, { number, linkId, sessionId, lid, worker, at });
  });
}

const CANCELLED = 'The pairing was given up.';

/** Cancels an attempt. False when its phone has agreed already: then there is a session to end instead. */
export async function cancelOnboarding(
  store: Store,
  { id, account_id: accountId, slot_id: slotId, link_id: linkId, phone }: OnboardingRow,
  { at, by }: { at: number; by: Actor | undefined },
): Promise<boolean> {
  return auditedTransaction(store, async (trx) => {
    await lockNumber(store, trx, slotId);
    if (await keptSession(trx, linkId)) return false;
    const isOver = await endOnboarding(trx, id, { status: 'error', error: CANCELLED }, at);
    if (!isOver) return true;
    await enqueueUnlinkJob(trx, { linkId, fence: 1, at });
    await recordPairing(trx, at, { by, action: 'pairing.canceled', id, accountId, phone });
    return true;
  });
}

function keptSession(db: Db, linkId: string): Promise<{ session_id: string } | undefined> {
  const session = db.selectFrom('sessions').select('session_id').where('link_id', '=', linkId);
  return session.executeTakeFirst();
}

const ABANDONED = 'The gateway was restarted during the pairing; start it again.';

/** Outcome of an attempt whose time is up; `guarded` when it waited for a passkey. */
export function tooLate(guarded: boolean): Extract<Outcome, { status: 'error' }> {
  return guarded
    ? {
        status: 'error',
        error: 'No passkey confirmed the pairing within ten minutes.',
        error_code: 'passkey_expired',
      }
    : { status: 'error', error: 'No phone answered within five minutes.' };
}

/**
 * Ends attempts without a worker: it has died, or none took them. Links that such an attempt has left on the network
 * become unlink jobs; an attempt whose link was stored in time has succeeded.
 */
export async function endOrphans(
  store: Store,
  { now, machineNow }: { now: number; machineNow: number },
): Promise<void> {
  const alive = store.read.selectFrom('workers').select('worker').where('lease_expires_at', '>', machineNow);
  const orphans = await store.read
    .selectFrom('onboardings')
    .select(['id', 'slot_id', 'link_id', 'worker'])
    .where('ended_at', 'is', null)
    .where(({ or, and, eb }) =>
      or([
        and([eb('worker', 'is not', null), eb('worker', 'not in', alive)]),
        and([eb('worker', 'is', null), eb('expires_at', '<=', now)]),
      ]),
    )
    .execute();
  for (const { id, slot_id: slotId, link_id: linkId, worker } of orphans) {
    await store.transaction(async (trx) => {
      await lockNumber(store, trx, slotId);
      const kept = await keptSession(trx, linkId);
      const failure = worker === null ? tooLate(false) : ({ status: 'error', error: ABANDONED } as const);
      const outcome: Outcome = kept ? { status: 'paired', session_id: kept.session_id } : failure;
      const isOver = await endOnboarding(trx, id, outcome, now);
      if (isOver && !kept) await enqueueUnlinkJob(trx, { linkId, fence: 1, at: now });
    });
  }
}

const KEPT_MS = DAY_MS;

export async function dropOldOnboardings(store: Store, now: number): Promise<void> {
  await store.transaction(async (trx) => {
    await trx
      .deleteFrom('onboardings')
      .where('ended_at', '<', now - KEPT_MS)
      .execute();
    await dropOldOwnerLinks(trx, now - KEPT_MS);
  });
}
