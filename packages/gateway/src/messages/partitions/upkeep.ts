import { messageIdAt } from '#kernel';
import type { Store } from '#store';
import { dropPart, listParts, makePart } from './store.ts';
import { weeksFrom } from './weeks.ts';

/** Made before they are needed, so that nothing is lost if nobody can make any for a while. */
const WEEKS_AHEAD = 2;

/** Sees to it that the weeks to come have parts, and that those go of which everything was accepted before `keptSince`. */
export async function keepParts(store: Store, now: number, keptSince: number): Promise<void> {
  if (store.dialect === 'sqlite') return;
  const parts = await listParts(store);
  const known = new Set(parts.map(({ name }) => name));
  for (const week of weeksFrom(now, WEEKS_AHEAD)) {
    if (!known.has(week.name)) await makePart(store, week);
  }
  const keptFrom = messageIdAt(keptSince);
  for (const { name, to } of parts) {
    if (to !== null && to <= keptFrom) await dropPart(store, name);
  }
}
