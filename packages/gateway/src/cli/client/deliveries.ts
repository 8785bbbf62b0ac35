import type { Delivery, ListDeliveriesQuery, Parley } from '@parley/sdk';
import { CommandError, type Run } from '../command.ts';
import type { DELIVERIES_LIST, DELIVERIES_REDELIVER } from '../specs.ts';
import { asTable } from '../terminal.ts';
import { account } from './connect.ts';
import { isoTime } from './session.ts';
import { chosenWebhook } from './webhook.ts';

const SHOWN_UNLESS_TOLD = 20;

export const listDeliveries: Run<typeof DELIVERIES_LIST> = async ({ options, connection, terminal }) => {
  const parley = account(connection);
  const { status, kind, limit = String(SHOWN_UNLESS_TOLD) } = options;
  if (!/^[1-9]\d{0,4}$/.test(limit)) throw new CommandError('--limit must be a number of deliveries');
  const query = { status, kind } as ListDeliveriesQuery;
  const deliveries: Delivery[] = [];
  for await (const delivery of parley.webhooks.deliveries(
    await chosenWebhook(parley, options.webhook),
    query,
  )) {
    if (deliveries.push(delivery) === Number(limit)) break;
  }
  const headings = ['delivery', 'kind', 'status', 'attempts', 'last answer', 'next attempt', 'to'];
  terminal.show({ deliveries }, () => asTable(headings, deliveries.map(rowOf)));
};

export const redeliver: Run<typeof DELIVERIES_REDELIVER> = async ({
  args,
  options,
  connection,
  terminal,
}) => {
  const parley = account(connection);
  if ((args.delivery === undefined) === (options.all === undefined)) {
    throw new CommandError('pass the id of one delivery, or --all');
  }
  const webhookId = await chosenWebhook(parley, options.webhook);
  const redelivered: string[] = [];
  for (const id of args.delivery === undefined ? await deadOnes(parley, webhookId) : [args.delivery]) {
    await parley.webhooks.redeliver(webhookId, id);
    redelivered.push(id);
    terminal.note(`${id} is on its way again`);
  }
  terminal.show({ redelivered }, () => `${redelivered.length} on their way again`);
};

/** All of them before the first is touched: a page of those that are dead must not change while it is read. */
async function deadOnes(parley: Parley, webhookId: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { delivery_id } of parley.webhooks.deliveries(webhookId, { status: 'dead' }))
    ids.push(delivery_id);
  return ids;
}

function rowOf({ delivery_id, kind, status, attempts, next_attempt_at_unix, url }: Delivery): unknown[] {
  const last = attempts.at(-1);
  const next = next_attempt_at_unix === undefined ? '' : isoTime(next_attempt_at_unix);
  return [delivery_id, kind, status, attempts.length, last?.status_code ?? last?.error, next, url];
}
