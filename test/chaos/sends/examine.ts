import type { Gateway } from '../../conformance/gateway.ts';
import { until } from '../linked-number.ts';
import type { BusyNumber } from './number.ts';
import type { Witness } from './witness.ts';

/** What became of the messages of a number; all but the first should be zero. */
export interface Findings {
  readonly accepted: number;
  readonly lost: number;
  readonly doubled: number;
  readonly disordered: number;
  readonly untold: number;
  readonly toldTwice: number;
}

export const NOTHING_FOUND: Findings = {
  accepted: 0,
  lost: 0,
  doubled: 0,
  disordered: 0,
  untold: 0,
  toldTwice: 0,
};

export function add(some: Findings, more: Findings): Findings {
  const keys = Object.keys(some) as (keyof Findings)[];
  return Object.fromEntries(keys.map((key) => [key, some[key] + more[key]])) as unknown as Findings;
}

export async function examine(gateway: Gateway, number: BusyNumber, witness: Witness): Promise<Findings> {
  const ids = number.accepted.map(({ messageId }) => messageId);
  const untold = (): string[] => ids.filter((id) => witness.tellingsOf(id).size === 0);
  // Whatever has not been told by then is counted below.
  await until('the last status event', untold, ({ length }) => length === 0).catch(() => {});
  const { messages } = await gateway.sandbox<{ messages: { text: string }[] }>(
    'GET',
    `/phones/${number.friend}/messages`,
  );
  const shown = messages.map(({ text }) => text);
  const sent = number.accepted.map(({ text }) => text);
  return {
    accepted: sent.length,
    lost: sent.filter((text) => !shown.includes(text)).length,
    doubled: shown.length - new Set(shown).size,
    disordered: [...new Set(shown)].filter((text, place) => text !== sent[place]).length,
    untold: untold().length,
    toldTwice: ids.filter((id) => witness.tellingsOf(id).size > 1).length,
  };
}
