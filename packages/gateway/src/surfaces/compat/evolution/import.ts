import { compileParse } from '@parley/contract';
import { ApiError } from '#kernel';
import { CompatError, type OwnedNumber } from '#platform/http';
import type { CompatContext } from '../context.ts';
import { type EvolutionContext, makeToken, type Settings, withInstances } from './instances.ts';
import { setWebhook } from './webhook/endpoints.ts';
import { EVENT_NAMES, WebhookFields } from './webhook/options.ts';

const readWebhook = compileParse(WebhookFields);

/** An instance as exported from its old gateway. */
export interface EvolutionInstance {
  readonly name: string;
  readonly settings: Settings;
  /** Webhook as a client would set it, with the events by their names. */
  readonly webhook: { readonly events: readonly string[] } | undefined;
}

interface Imported {
  /** `taken`: the name belongs to another number, or the number has another name. Nothing is changed then. */
  readonly name: 'given' | 'known' | 'taken';
  readonly webhook: 'set' | 'refused' | 'none';
}

type Parts = Pick<
  CompatContext,
  'store' | 'bus' | 'clock' | 'machineClock' | 'sealedBox' | 'accounts' | 'webhooks'
>;

/** Gives a number the name, a token and the webhook of an instance. Idempotent. */
export async function importInstance(
  parts: Parts,
  number: OwnedNumber,
  { name, settings, webhook }: EvolutionInstance,
): Promise<Imported> {
  const context = withInstances(parts as CompatContext);
  try {
    const before = await context.instances.ofNumber(number.slotId);
    if (before) return { name: before.name === name ? 'known' : 'taken', webhook: 'none' };
    if (!(await giveName(context, number, name, settings))) return { name: 'taken', webhook: 'none' };
    return { name: 'given', webhook: webhook ? await giveWebhook(context, number, webhook) : 'none' };
  } finally {
    context.instances.stop();
  }
}

function giveName(
  context: EvolutionContext,
  number: OwnedNumber,
  name: string,
  settings: Settings,
): Promise<boolean> {
  return context.instances.give(number, name, async (trx) => ({
    settings,
    ...(await makeToken(trx, context, { actor: 'operator', permissions: null }, number, name)),
  }));
}

async function giveWebhook(
  context: EvolutionContext,
  { accountId, slotId }: OwnedNumber,
  webhook: NonNullable<EvolutionInstance['webhook']>,
): Promise<'set' | 'refused'> {
  const instance = await context.instances.ofNumber(slotId);
  if (!instance) return 'refused';
  const events = webhook.events.filter((name) => EVENT_NAMES.some((known) => known === name));
  const given = readWebhook({ ...webhook, events });
  if (!given.ok) return 'refused';
  const caller = { accountId, permissions: null };
  try {
    await setWebhook(context, { instance, caller }, given.value);
    return 'set';
  } catch (error) {
    if (error instanceof CompatError || error instanceof ApiError) return 'refused';
    throw error;
  }
}
