import type { DriftPart } from '@parley/contract';
import { DAY_MS } from '#kernel';
import type { Store } from '#platform/store';

/** A kind of arrival that the driver does not understand. */
export interface DriftEntry {
  readonly part: DriftPart;
  readonly name: string;
  readonly count: number;
  /** Epoch ms. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Structure of the first one, with names alone. */
  readonly sample: string;
}

/** Name of everything above the limit of its part. */
export const OTHER = 'other';
/** Distinct names of each part, besides `OTHER`; senders choose some of the names. */
export const MOST_NAMES = 64;
const KEPT_MS = 90 * DAY_MS;

/** Adds to the counts, drops kinds that were not seen for long, and returns the kinds that are new. */
export function keepDrift(
  store: Pick<Store, 'transaction'>,
  found: readonly DriftEntry[],
  now: number,
): Promise<readonly DriftEntry[]> {
  return store.transaction(async (trx) => {
    await trx
      .deleteFrom('network_drift')
      .where('last_seen', '<=', now - KEPT_MS)
      .execute();
    const known = await trx.selectFrom('network_drift').select(['part', 'name']).execute();
    const names = new Map<string, Set<string>>();
    for (const { part, name } of known) names.set(part, (names.get(part) ?? new Set()).add(name));
    const added: DriftEntry[] = [];
    // One order in every process, so that two of them cannot block each other.
    for (const entry of found.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
      const kept = names.get(entry.part) ?? new Set();
      names.set(entry.part, kept);
      const name = kept.has(entry.name) || kept.size < MOST_NAMES ? entry.name : OTHER;
      if (!kept.has(name)) added.push({ ...entry, name });
      kept.add(name);
      await trx
        .insertInto('network_drift')
        .values({
          ...{ part: entry.part, name, count: entry.count, sample: entry.sample },
          ...{ first_seen: entry.firstSeen, last_seen: entry.lastSeen },
        })
        .onConflict((conflict) =>
          conflict.columns(['part', 'name']).doUpdateSet((e) => ({
            count: e('network_drift.count', '+', e.ref('excluded.count')),
            last_seen: e.ref('excluded.last_seen'),
          })),
        )
        .execute();
    }
    return added;
  });
}

/** The kinds seen last first. */
export async function listDrift({ read }: Pick<Store, 'read'>, now: number): Promise<DriftEntry[]> {
  const rows = await read
    .selectFrom('network_drift')
    .selectAll()
    .where('last_seen', '>', now - KEPT_MS)
    .orderBy('last_seen', 'desc')
    .orderBy('part')
    .orderBy('name')
    .execute();
  return rows.map(({ part, name, count, sample, first_seen, last_seen }) => ({
    ...{ part, name, count, sample },
    ...{ firstSeen: first_seen, lastSeen: last_seen },
  }));
}

export function keyOf({ part, name }: Pick<DriftEntry, 'part' | 'name'>): string {
  return `${part} ${name}`;
}

/** A version of the web client: the one that the network published, or the one that it will refuse. */
export interface KeptVersion {
  readonly version: string;
  /** When it was published, or will be refused (epoch ms). */
  readonly at: number;
}

const CLIENTS = { current: 'whatsapp-web', expiring: 'whatsapp-web-expiring' } as const;

export async function findKeptVersion(
  { read }: Pick<Store, 'read'>,
  which: keyof typeof CLIENTS,
): Promise<KeptVersion | undefined> {
  return read
    .selectFrom('client_versions')
    .select(['version', 'at'])
    .where('client', '=', CLIENTS[which])
    .executeTakeFirst();
}

export async function keepVersion(
  store: Pick<Store, 'transaction'>,
  which: keyof typeof CLIENTS,
  { version, at }: KeptVersion,
): Promise<void> {
  await store.transaction((trx) =>
    trx
      .insertInto('client_versions')
      .values({ client: CLIENTS[which], version, at })
      .onConflict((conflict) => conflict.column('client').doUpdateSet({ version, at }))
      .execute(),
  );
}
