import type { CreateWebhookBody, Parley, TestWebhookBody, Webhook } from '@parley/sdk';
import { CommandError, type Run } from '../command.ts';
import type { WEBHOOK_CREATE, WEBHOOK_DELETE, WEBHOOK_LIST, WEBHOOK_ROTATE, WEBHOOK_TEST } from '../specs.ts';
import { asFields, asTable } from '../terminal.ts';
import { account } from './connect.ts';
import { chosenSession } from './session.ts';

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
  const told = await parley.webhooks.test(id, { category });
  terminal.show(
    told ?? { webhook_id: id },
    () => `A sample event is on its way; parley deliveries list shows what became of it.`,
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
export async function chosenWebhook(parley: Parley, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { webhooks } = await parley.webhooks.list();
  const [only, ...others] = webhooks;
  if (!only) throw new CommandError('this account has no webhook');
  if (others.length === 0) return only.id;
  throw new CommandError(
    `pass --webhook with one of ${webhooks.map(({ id, phone }) => `${id} (${phone})`).join(', ')}`,
  );
}
