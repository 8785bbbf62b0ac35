import {
  EVENT_CATEGORIES,
  EXTENSION_NAMES,
  type Extension,
  parseSessionId,
  URL_FIELD_OF_CATEGORY,
  WEBHOOK_SECRET_OVERLAP_SECONDS,
  type Webhook,
  type WebhookUrlField,
  type WebhookWithSecret,
} from '@parley/contract';
import { type Actor, actorBehind, auditedTransaction, record } from '#accounts';
import { DELIVERIES_TOPIC, LISTENERS_TOPIC } from '#events';
import { apiError } from '#kernel';
import { judgeUrl } from '#platform/egress';
import { type Caller, type OwnedNumber, requireReach } from '#platform/http';
import { isStoreError, type WebhookRow, type Writer } from '#platform/store';
import type { WebhooksContext } from '../context.ts';
import { WEBHOOKS_TOPIC } from './endpoint-cache.ts';
import {
  changeWebhook,
  deleteWebhook,
  findWebhook,
  followChange,
  insertWebhook,
  listWebhooks,
} from './endpoint-queries.ts';
import { newSecret, openSecret, sealSecret } from './signing.ts';

export type WebhookUrls = Partial<Record<WebhookUrlField, string | undefined>>;

type WebhookInput = WebhookUrls & { readonly extensions?: readonly Extension[] | undefined };

/** Only URLs, extensions, `active` and `paused` change something; the others may be given as they are. */
type WebhookUpdate = WebhookInput & {
  readonly active?: boolean | undefined;
  readonly paused?: boolean | undefined;
} & Partial<Record<(typeof FIXED_FIELDS)[number], string | undefined>>;

const FIXED_FIELDS = ['id', 'phone', 'session_id', 'created_at', 'secret'] as const;
export const URL_FIELDS = EVENT_CATEGORIES.map((category) => URL_FIELD_OF_CATEGORY[category]);

/** A number has one webhook of this kind. Its secret leaves the gateway here and never again. */
export async function registerWebhook(
  context: WebhooksContext,
  number: OwnedNumber,
  { extensions = [], ...urls }: WebhookInput,
  by?: Actor,
): Promise<WebhookWithSecret> {
  const { store, clock, ids, random, sealedBox } = context;
  if (URL_FIELDS.every((field) => !urls[field])) throw apiError('webhook_without_url');
  checkUrls(context, urls);
  const id = ids.webhook();
  const secret = newSecret(random);
  const row: WebhookRow = {
    id,
    account_id: number.accountId,
    slot_id: number.slotId,
    phone: number.phone,
    messages_url: urls.messages_url ?? '',
    status_url: urls.status_url ?? '',
    connection_url: urls.connection_url ?? '',
    events_url: urls.events_url ?? '',
    active: 1,
    paused_at: null,
    extensions: written(extensions),
    secret: sealSecret(sealedBox, id, secret),
    previous_secret: null,
    previous_secret_until: null,
    created_at: clock.now(),
  };
  try {
    await auditedTransaction(store, async (trx) => {
      await insertWebhook(trx, row);
      await recordWebhook(trx, row.created_at, { by, action: 'webhook.created', webhook: row });
    });
  } catch (error) {
    if (isStoreError(error, 'unique_violation')) throw apiError('webhook_exists');
    throw error;
  }
  context.bus.publish(LISTENERS_TOPIC, number.slotId);
  return { ...publicWebhook(row), secret };
}

/** What is queued already follows: to a new URL, to the dead letters when there is none, on hold while the webhook is paused or not active. */
export async function updateWebhook(
  context: WebhooksContext,
  caller: Caller,
  id: string,
  update: WebhookUpdate,
): Promise<Webhook> {
  checkUrls(context, update);
  const { store, bus, clock } = context;
  const now = clock.now();
  const after = await auditedTransaction(store, async (trx) => {
    const before = await ownWebhook(trx, caller, id);
    checkFixedFields(context, before, update);
    const { active, paused } = update;
    const change: Partial<WebhookRow> = active === undefined ? {} : { active: Number(active) };
    if (paused !== undefined) change.paused_at = paused ? (before.paused_at ?? now) : null;
    if (update.extensions) change.extensions = written(update.extensions);
    for (const field of URL_FIELDS) if (update[field] !== undefined) change[field] = update[field];
    if (Object.keys(change).length === 0) return before;
    const changed = { ...before, ...change };
    await changeWebhook(trx, id, change);
    await followChange(trx, before, changed, now);
    await recordWebhook(trx, now, { by: actorBehind(caller), action: 'webhook.changed', webhook: before });
    return changed;
  });
  bus.publish(WEBHOOKS_TOPIC, id);
  bus.publish(DELIVERIES_TOPIC, null);
  bus.publish(LISTENERS_TOPIC, after.slot_id);
  return publicWebhook(after);
}

export async function removeWebhook(
  { store, clock, bus }: WebhooksContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const slotId = await auditedTransaction(store, async (trx) => {
    const webhook = await ownWebhook(trx, caller, id);
    await deleteWebhook(trx, webhook);
    await recordWebhook(trx, clock.now(), { by: actorBehind(caller), action: 'webhook.removed', webhook });
    return webhook.slot_id;
  });
  bus.publish(WEBHOOKS_TOPIC, id);
  bus.publish(LISTENERS_TOPIC, slotId);
}

/** A key for one number sees that number's webhook only. */
export async function webhooksOf(
  { store }: WebhooksContext,
  { accountId, phone }: Caller,
): Promise<Webhook[]> {
  const rows = await listWebhooks(store.read, accountId);
  return rows.filter((row) => phone === null || row.phone === phone).map(publicWebhook);
}

/** The old secret goes on signing beside the new one for a day, so that receivers can change over. */
export async function rotateSecret(context: WebhooksContext, caller: Caller, id: string): Promise<string> {
  const { store, clock, random, sealedBox, bus } = context;
  const secret = newSecret(random);
  const now = clock.now();
  await auditedTransaction(store, async (trx) => {
    const webhook = await ownWebhook(trx, caller, id);
    await changeWebhook(trx, id, {
      secret: sealSecret(sealedBox, id, secret),
      previous_secret: sealSecret(sealedBox, id, openSecret(sealedBox, id, webhook.secret)),
      previous_secret_until: now + WEBHOOK_SECRET_OVERLAP_SECONDS * 1_000,
    });
    await recordWebhook(trx, now, { by: actorBehind(caller), action: 'webhook.secret_rotated', webhook });
  });
  bus.publish(WEBHOOKS_TOPIC, id);
  return secret;
}

interface WebhookChange {
  /** Undefined when the number or account is removed, which is audited itself. */
  readonly by: Actor | undefined;
  readonly action: `webhook.${'created' | 'changed' | 'removed' | 'secret_rotated'}`;
  readonly webhook: Pick<WebhookRow, 'id' | 'account_id' | 'phone'>;
}

export async function recordWebhook(
  trx: Writer,
  at: number,
  { by: actor, action, webhook: { id: subject, account_id: accountId, phone } }: WebhookChange,
): Promise<void> {
  if (actor) await record(trx, at, { actor, accountId, action, subject, detail: { phone } });
}

/** Another account's webhook does not exist; another number's is out of bounds for a key that is for one number. */
export async function ownWebhook(
  db: Parameters<typeof findWebhook>[0],
  caller: Caller,
  id: string,
): Promise<WebhookRow> {
  const webhook = await findWebhook(db, caller.accountId, id);
  if (!webhook) throw apiError('webhook_not_found');
  requireReach(caller, webhook.phone);
  return webhook;
}

function checkFixedFields({ sealedBox }: WebhooksContext, row: WebhookRow, update: WebhookUpdate): void {
  const { id, phone, created_at } = publicWebhook(row);
  const isAsItIs = {
    id: (given: string) => given === id,
    phone: (given: string) => given === phone,
    session_id: (given: string) => parseSessionId(given)?.phone === phone,
    created_at: (given: string) => given === created_at,
    secret: (given: string) => given === openSecret(sealedBox, row.id, row.secret),
  };
  for (const field of FIXED_FIELDS) {
    const given = update[field];
    if (given !== undefined && !isAsItIs[field](given)) throw apiError('webhook_field_fixed', { field });
  }
}

/** By name, without a lookup; each connection is checked again after its own, by `createGuardedConnector`. */
export function checkUrls({ urlRules }: WebhooksContext, urls: WebhookUrls): void {
  for (const field of URL_FIELDS) {
    const url = urls[field];
    if (!url) continue;
    switch (judgeUrl(url, urlRules)) {
      case 'malformed':
        throw apiError('invalid_field', {
          text: `${field} must be an http or https url without credentials`,
        });
      case 'not_https':
        throw apiError('webhook_url_not_https', { field });
      case 'private':
        throw apiError('webhook_url_private', { field });
    }
  }
}

function publicWebhook(row: WebhookRow): Webhook {
  const asked = row.extensions.split(',');
  const extensions = EXTENSION_NAMES.filter((name) => asked.includes(name));
  return {
    id: row.id,
    phone: row.phone,
    messages_url: row.messages_url,
    status_url: row.status_url,
    connection_url: row.connection_url,
    events_url: row.events_url,
    active: row.active === 1,
    created_at: new Date(row.created_at).toISOString(),
    ...(extensions.length > 0 && { extensions }),
    ...(row.paused_at !== null && { paused: true }),
  };
}

/** In one order, however they were asked for. */
export function written(extensions: readonly Extension[]): string {
  return EXTENSION_NAMES.filter((name) => extensions.includes(name)).join(',');
}
