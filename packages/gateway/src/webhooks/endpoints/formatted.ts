import type { EventKind, Extension } from '@parley/contract';
import { EVENTS } from '@parley/contract';
import { type Actor, auditedTransaction } from '#accounts';
import { DELIVERIES_TOPIC, LISTENERS_TOPIC } from '#events';
import type { OwnedNumber } from '#platform/http';
import type { FormattedWebhookRow, Writer } from '#platform/store';
import type { WebhooksContext } from '../context.ts';
import { insertDelivery } from '../history/delivery-queries.ts';
import { checkUrls, recordWebhook, URL_FIELDS, type WebhookUrls, written } from './configuration.ts';
import { urlsOf, WEBHOOKS_TOPIC } from './endpoint-cache.ts';
import {
  changeFormatted,
  deleteWebhook,
  findFormatted,
  followChange,
  insertFormatted,
} from './endpoint-queries.ts';
import { openOptions, sealOptions } from './signing.ts';

/** A webhook in the format of another API. A number has at most one of each format, beside its own. */
export interface FormattedWebhook {
  readonly id: string;
  readonly urls: WebhookUrls;
  readonly active: boolean;
  /** For the format alone. */
  readonly options: string;
  readonly createdAt: number;
}

type Wanted = Omit<FormattedWebhook, 'id' | 'createdAt'> & { readonly extensions: readonly Extension[] };

/** Puts it in place of the one that there was; what is queued already follows, as it does for a number's own. */
export async function setFormattedWebhook(
  context: WebhooksContext,
  number: OwnedNumber,
  format: string,
  { urls, active, options, extensions }: Wanted,
  by?: Actor,
): Promise<FormattedWebhook> {
  checkUrls(context, urls);
  const { store, clock, ids, sealedBox, bus } = context;
  const now = clock.now();
  const row = await auditedTransaction(store, async (trx) => {
    const before = await findFormatted(trx, number.slotId, format);
    const id = before?.id ?? ids.webhook();
    const change = {
      ...Object.fromEntries(URL_FIELDS.map((field) => [field, urls[field] ?? ''])),
      active: Number(active),
      extensions: written(extensions),
      options: sealOptions(sealedBox, id, options),
    } as Pick<FormattedWebhookRow, (typeof URL_FIELDS)[number] | 'active' | 'extensions' | 'options'>;
    if (before) {
      const after = { ...before, ...change };
      await changeFormatted(trx, id, change);
      await followChange(trx, before, after, now);
      await recordWebhook(trx, now, { by, action: 'webhook.changed', webhook: after });
      return after;
    }
    const fresh: FormattedWebhookRow = {
      id,
      account_id: number.accountId,
      slot_id: number.slotId,
      phone: number.phone,
      format,
      ...change,
      paused_at: null,
      created_at: now,
    };
    await insertFormatted(trx, fresh);
    await recordWebhook(trx, now, { by, action: 'webhook.created', webhook: fresh });
    return fresh;
  });
  bus.publish(WEBHOOKS_TOPIC, row.id);
  bus.publish(DELIVERIES_TOPIC, null);
  bus.publish(LISTENERS_TOPIC, number.slotId);
  return view(context, row);
}

export async function formattedWebhook(
  context: WebhooksContext,
  number: Pick<OwnedNumber, 'slotId'>,
  format: string,
): Promise<FormattedWebhook | undefined> {
  const row = await findFormatted(context.store.read, number.slotId, format);
  return row && view(context, row);
}

export async function removeFormattedWebhook(
  context: WebhooksContext,
  number: Pick<OwnedNumber, 'slotId'>,
  format: string,
  by?: Actor,
): Promise<void> {
  const announce = await auditedTransaction(context.store, (trx) =>
    dropFormattedWebhook(trx, context, number, format, by),
  );
  announce();
}

/** The same within another change that takes its turn. Answers what is to be called once that is committed. */
export async function dropFormattedWebhook(
  trx: Writer,
  { clock, bus }: Pick<WebhooksContext, 'clock' | 'bus'>,
  number: Pick<OwnedNumber, 'slotId'>,
  format: string,
  by?: Actor,
): Promise<() => void> {
  const row = await findFormatted(trx, number.slotId, format);
  if (!row) return () => {};
  await deleteWebhook(trx, row);
  await recordWebhook(trx, clock.now(), { by, action: 'webhook.removed', webhook: row });
  return () => {
    bus.publish(WEBHOOKS_TOPIC, row.id);
    bus.publish(LISTENERS_TOPIC, number.slotId);
  };
}

/** Queues a delivery of an event that only this format has. Does nothing without a webhook that asks for it. */
export async function notifyFormatted(
  { store, clock, ids, bus }: WebhooksContext,
  number: Pick<OwnedNumber, 'slotId' | 'accountId'>,
  format: string,
  { kind, payload }: { readonly kind: EventKind; readonly payload: object },
): Promise<void> {
  const now = clock.now();
  const { category } = EVENTS[kind];
  await store.transaction(async (trx) => {
    const webhook = await findFormatted(trx, number.slotId, format);
    const url = webhook && urlsOf(webhook)[category];
    if (!webhook?.active || !url) return;
    const event = JSON.stringify(payload);
    await insertDelivery(trx, {
      account_id: webhook.account_id,
      webhook_id: webhook.id,
      event_seq: null,
      event_id: ids.event(),
      kind: kind,
      category,
      url,
      size: Buffer.byteLength(event),
      status: 'pending',
      queued_at: now,
      due_at: now,
      event,
      chat: '',
    });
  });
  bus.publish(DELIVERIES_TOPIC, null);
}

function view({ sealedBox }: WebhooksContext, row: FormattedWebhookRow): FormattedWebhook {
  return {
    id: row.id,
    urls: Object.fromEntries(URL_FIELDS.map((field) => [field, row[field]])),
    active: row.active === 1,
    options: openOptions(sealedBox, row.id, row.options),
    createdAt: row.created_at,
  };
}
