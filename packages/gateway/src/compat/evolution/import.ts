import { compileParse } from '@parley/contract';
import { ForeignRefusal, type OwnedNumber } from '#http';
import { Fault } from '#kernel';
import type { CompatContext } from '../context.ts';
import { makeToken } from './instance/token.ts';
import { type EvolutionContext, type Settings, withInstances } from './instances.ts';
import { WebhookFields } from './webhook/bodies.ts';
import { setWebhook } from './webhook/endpoints.ts';
import { EVENT_NAMES } from './webhook/options.ts';

const readWebhook = compileParse(WebhookFields);

/** An instance as its old gateway had it. */
export interface ForeignInstance {
  readonly name: string;
  readonly settings: Settings;
  /** As a client would set it, with the events by their names. */
  readonly webhook: { readonly events: readonly string[] } | undefined;
}

interface Imported {
  /** `taken`: the name stands for another number, or the number has another name. Nothing is changed then. */
  readonly name: 'given' | 'known' | 'taken';
  readonly webhook: 'set' | 'refused' | 'none';
}

type Parts = Pick<
  CompatContext,
  'store' | 'bus' | 'clock' | 'machineClock' | 'sealedBox' | 'accounts' | 'webhooks'
>;

/** Gives a number the name, a token and the webhook of an instance; done again it changes nothing. */
export async function importInstance(
  parts: Parts,
  number: OwnedNumber,
  { name, settings, webhook }: ForeignInstance,
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
  webhook: NonNullable<ForeignInstance['webhook']>,
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
    if (error instanceof ForeignRefusal || error instanceof Fault) return 'refused';
    throw error;
  }
}
