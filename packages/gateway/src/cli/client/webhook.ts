import type {
  CreateWebhookBody,
  Delivery,
  ListDeliveriesQuery,
  Parley,
  TestWebhookBody,
  Webhook,
} from 'parley-sdk';
import { CommandError, type Run } from '../command.ts';
import type {
  DELIVERIES_LIST,
  DELIVERIES_REDELIVER,
  WEBHOOK_CREATE,
  WEBHOOK_DELETE,
  WEBHOOK_LIST,
  WEBHOOK_ROTATE,
  WEBHOOK_TEST,
} from '../specs.ts';
import { asFields, asTable } from '../terminal.ts';
import { account } from './connect.ts';
import { chosenSession, isoTime } from './session.ts';

const CATEGORIES = ['messages', 'status', 'connection', 'events'] as const;

export const listWebhooks: Run<typeof WEBHOOK_LIST> = async ({ connection, terminal }) => {
  const { webhooks } = await account(connection).webhooks.list();
  const row = (each: Webhook) => [each.id, each.phone, each.active ? 'active' : 'paused', urlsOf(each)];
  terminal.show({ webhooks }, () => asTable(['webhook', 'number', 'state', 'to'], webhooks.map(row)));
};

function urlsOf(webhook: Webhook): string {
  return CATEGORIES.filter((category) => webhook[`${category}_url`] !== '')
    .map((category) => `${category}: ${webhook[`${category}_url`]}`)
    .join(', ');
}

export const createWebhook: Run<typeof WEBHOOK_CREATE> = async ({ args, options, connection, terminal }) => {
  const parley = account(connection);
  const wanted = options.only ?? CATEGORIES;
  const body = {
    session_id: await chosenSession(parley, options.from),
    ...Object.fromEntries(wanted.map((category) => [`${category}_url`, args.url])),
    ...(options.extension && { extensions: options.extension }),
  };
  // The parser has held the words against what the API takes.
  const made = await parley.webhooks.create(body as CreateWebhookBody);
  terminal.show(
    made,
    () => `${asFields({ ...made })}\n\nThe secret is shown only now: your program checks signatures with it.`,
  );
};

export const deleteWebhook: Run<typeof WEBHOOK_DELETE> = async ({ args, connection, terminal }) => {
  await account(connection).webhooks.delete(args.webhook);
  terminal.show({ webhook_id: args.webhook, deleted: true }, () => `${args.webhook} is gone`);
};

export const testWebhook: Run<typeof WEBHOOK_TEST> = async ({ options, connection, terminal }) => {
  const parley = account(connection);
  const id = await chosenWebhook(parley, options.webhook);
  const category = (options.category ?? 'messages') as TestWebhookBody['category'];
  const result = await parley.webhooks.test(id, { category });
  terminal.show(
    result ?? { webhook_id: id },
    () => `A sample event is on its way; parley deliveries list shows its outcome.`,
  );
};

export const rotateSecret: Run<typeof WEBHOOK_ROTATE> = async ({ options, connection, terminal }) => {
  const parley = account(connection);
  const id = await chosenWebhook(parley, options.webhook);
  const { secret } = await parley.webhooks.rotateSecret(id);
  terminal.show(
    { webhook_id: id, secret },
    () => `${secret}\n\nFor a day both secrets sign; the old one ends then.`,
  );
};

/** The one that was named, or the only one there is. */
async function chosenWebhook(parley: Parley, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { webhooks } = await parley.webhooks.list();
  const [only, ...others] = webhooks;
  if (!only) throw new CommandError('this account has no webhook');
  if (others.length === 0) return only.id;
  throw new CommandError(
    `pass --webhook with one of ${webhooks.map(({ id, phone }) => `${id} (${phone})`).join(', ')}`,
  );
}

const DEFAULT_LIMIT = 20;

export const listDeliveries: Run<typeof DELIVERIES_LIST> = async ({ options, connection, terminal }) => {
  const parley = account(connection);
  const { status, kind, limit = String(DEFAULT_LIMIT) } = options;
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
