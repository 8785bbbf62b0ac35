import { contextOfDataKey, contextOfSecondFactor } from '#accounts';
import { BILLING_SECRET } from '#billing';
import { contextOfEvent } from '#events';
import { contextOfQuarantined } from '#inbound';
import { contextOfSend } from '#messages';
import { ARRIVAL, CREDS, contextOfRecord } from '#network/whatsapp';
import { contextOfMail } from '#platform/mail';
import type { Tables } from '#platform/store';
import { contextOfAnswer, contextOfShown } from '#sessions';
import { contextOfName, contextOfTemplate } from '#surfaces/compat';
import { contextOfAnswers, contextOfOptions, contextOfSecret } from '#webhooks';

/** A column of boxes that were sealed under the master key. */
export interface SealedColumn {
  readonly table: keyof Tables;
  readonly column: string;
  /** The primary key. */
  readonly key: readonly string[];
  /** What else the box is sealed for. */
  readonly needs?: readonly string[];
  readonly context: (row: Readonly<Record<string, string>>) => string;
}

function column<T extends keyof Tables, C extends keyof Tables[T] & string>(
  table: T,
  name: C,
  key: readonly (keyof Tables[T] & string)[],
  context: (row: Record<keyof Tables[T] & string, string>) => string,
  needs: readonly (keyof Tables[T] & string)[] = [],
): SealedColumn {
  // The row has what the key and the needs name, and a context asks for nothing else.
  return { table, column: name, key, needs, context: context as SealedColumn['context'] };
}

/** All there are; what an account keeps is sealed under its own key, and only that key is here. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  column('data_keys', 'sealed', ['account_id'], (row) => contextOfDataKey(row.account_id)),
  column('network_links', 'creds', ['link_id'], (row) => contextOfRecord(row.link_id, CREDS)),
  column('network_records', 'value', ['link_id', 'kind', 'id'], (row) => contextOfRecord(row.link_id, row)),
  column('network_journal', 'value', ['link_id', 'digest'], (row) =>
    contextOfRecord(row.link_id, { kind: ARRIVAL, id: row.digest }),
  ),
  column('webhooks', 'secret', ['id'], (row) => contextOfSecret(row.id)),
  column('webhooks', 'previous_secret', ['id'], (row) => contextOfSecret(row.id)),
  column('formatted_webhooks', 'options', ['id'], (row) => contextOfOptions(row.id)),
  column('deliveries', 'answers', ['seq'], (row) => contextOfAnswers(row.seq)),
  column('outbox', 'sealed', ['slot_id', 'seq'], (row) => contextOfSend(row.slot_id, row.message_id), [
    'message_id',
  ]),
  column('events', 'sealed', ['seq'], (row) => contextOfEvent(row.slot_id, row.key), ['slot_id', 'key']),
  column('quarantine', 'sealed', ['id'], (row) => contextOfQuarantined(row.id)),
  column('onboardings', 'shown', ['id'], (row) => contextOfShown(row.id)),
  column('onboardings', 'answer', ['id'], (row) => contextOfAnswer(row.id)),
  column(
    'compat_names',
    'remembered',
    ['account_id', 'surface', 'name'],
    (row) => contextOfName(row.surface, row.slot_id),
    ['slot_id'],
  ),
  column('compat_templates', 'definition', ['account_id', 'name', 'language'], (row) =>
    contextOfTemplate(row.account_id),
  ),
  column('second_factors', 'sealed', ['member_id'], (row) => contextOfSecondFactor(row.member_id)),
  column('billing_settings', 'webhook_secret', ['id'], () => BILLING_SECRET),
  column('mail_outbox', 'sealed', ['id'], (row) => contextOfMail(row.id)),
];
