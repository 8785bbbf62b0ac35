import type { Actor } from '#accounts';
import { EgressError } from '#platform/egress';
import type { OwnedNumber } from '#platform/http';
import { formattedWebhook, removeFormattedWebhook, setFormattedWebhook } from '#webhooks';
import type { CompatContext } from '../../context.ts';
import { type Fields, textIn } from '../fields.ts';
import { GraphError } from '../graph-error.ts';

/** Name of the format and of the surface. */
export const CLOUD = 'cloud';

const ANSWERS_WITHIN_MS = 10_000;
const CHALLENGE_MAX_BYTES = 4_096;

export interface CallbackOptions {
  /** Secret that signs the requests. */
  readonly appSecret: string;
}

/**
 * Callback URL for the events of numbers, set once its receiver has passed verification. The client may pass its own secret as
 * `app_secret`; otherwise one is generated and returned this once.
 */
export async function setCallback(
  context: CompatContext,
  numbers: readonly { readonly number: OwnedNumber }[],
  wanted: Fields,
  by: Actor | undefined,
): Promise<{ readonly app_secret?: string }> {
  const url = textIn(wanted, 'override_callback_uri');
  if (url === undefined) {
    for (const { number } of numbers) await removeCallback(context, number, by);
    return {};
  }
  const given = textIn(wanted, 'app_secret');
  const appSecret = given ?? Buffer.from(context.random.bytes(16)).toString('hex');
  await verifyCallback(context, url, textIn(wanted, 'verify_token') ?? '');
  const options: CallbackOptions = { appSecret };
  for (const { number } of numbers) {
    await setFormattedWebhook(
      context.webhooks,
      number,
      CLOUD,
      {
        urls: { messages_url: url, status_url: url, connection_url: '', events_url: '' },
        active: true,
        options: JSON.stringify(options),
        extensions: [],
      },
      by,
    );
  }
  return given === undefined ? { app_secret: appSecret } : {};
}

export async function callbackOf(
  { webhooks }: CompatContext,
  number: Pick<OwnedNumber, 'slotId'>,
): Promise<string | undefined> {
  const webhook = await formattedWebhook(webhooks, number, CLOUD);
  return webhook?.urls.messages_url || undefined;
}

export async function removeCallback(
  { webhooks }: CompatContext,
  number: OwnedNumber,
  by: Actor | undefined,
): Promise<void> {
  await removeFormattedWebhook(webhooks, number, CLOUD, by);
}

async function verifyCallback(
  { egress, random }: CompatContext,
  callback: string,
  verifyToken: string,
): Promise<void> {
  const refused = (why: string) => new GraphError(2200, `The callback was not verified: ${why}.`);
  if (!URL.canParse(callback)) throw refused('it is no URL');
  const url = new URL(callback);
  const challenge = Buffer.from(random.bytes(8)).readUInt32BE().toString();
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.verify_token', verifyToken);
  url.searchParams.set('hub.challenge', challenge);
  const question = {
    method: 'GET',
    headers: {},
    timeoutMs: ANSWERS_WITHIN_MS,
    maxBytes: CHALLENGE_MAX_BYTES,
  };
  let reply: Awaited<ReturnType<typeof egress.ask>>;
  try {
    reply = await egress.ask(url.href, question);
  } catch (error) {
    throw error instanceof EgressError ? refused('it could not be reached') : error;
  }
  if (reply.status !== 200) throw refused(`it answered with ${reply.status}`);
  if (reply.body.toString().trim() !== challenge)
    throw refused('it answered with something else than hub.challenge');
}
