import { type AuthenticationCreds, BufferJSON, type SignalDataSet, type SignalKeyStore } from 'baileys';
import type { Clock, SealedBox } from '#kernel';
import type { Store } from '#store';
import type { BoundedCache } from '../bounded-cache.ts';
import { createRecordSeal, decodeRecord, encodeRecord } from './records.ts';
import type { LinkStore } from './store.ts';
import { type Committed, commitLink, type RecordName } from './write-commands.ts';

/** Name of the credentials among the sealed rows. */
const CREDS: RecordName = { kind: 'creds', id: '' };

/** The kind under which arrivals travel inside a batch of the library's keys. */
export const ARRIVAL = 'arrival';

/** In the cache for a record that is not there, which no record's text can be: a link has one writer, so what is absent stays so. */
const ABSENT = '';

/** Something that came over the wire, on its way into the journal. */
export interface ArrivalDraft {
  readonly digest: string;
  readonly eventKey: string | null;
  readonly seq: number;
  readonly value: unknown;
}

export interface Change {
  readonly puts?: readonly (RecordName & { readonly value: unknown })[];
  readonly deletes?: readonly RecordName[];
  readonly arrivals?: readonly ArrivalDraft[];
  readonly taken?: readonly string[];
}

/** This process must not touch the link any more: a newer owner has taken it over, or it was forgotten. */
export class LinkLost extends Error {
  override readonly name = 'LinkLost';
  readonly reason: 'taken_over' | 'unknown';

  constructor(reason: LinkLost['reason']) {
    super(`the link is ${reason === 'unknown' ? 'unknown' : 'taken over'}`);
    this.reason = reason;
  }
}

/**
 * Everything that one link keeps, sealed, with one owner at a time. Each change is one durable transaction that carries the owner's
 * fence. A change that fails breaks the vault: what the library holds in memory is then ahead of the disk, so its socket must go. So does
 * a failed read.
 */
export interface Vault {
  readonly linkId: string;
  /** Live: the library changes it in place and says so by `credsChanged`. */
  readonly creds: AuthenticationCreds;
  readonly keys: SignalKeyStore;
  credsChanged(): void;
  commit(change: Change): Promise<void>;
  read(kind: string, ids: readonly string[]): Promise<Map<string, unknown>>;
  readAll(kind: string): Promise<Map<string, unknown>>;
  /** The journalled value of these bytes: `undefined` when they never came, `null` when they were taken already. */
  arrivalOf(digest: string): Promise<unknown>;
  /** In order of arrival. */
  waitingArrivals(limit: number): Promise<readonly { digest: string; seq: number; value: unknown }[]>;
  /** Waits for the credentials on their way to disk. */
  settled(): Promise<void>;
}

export interface VaultDependencies {
  readonly store: Store;
  readonly links: LinkStore;
  readonly sealedBox: SealedBox;
  readonly clock: Pick<Clock, 'now'>;
  /** Plain text of records, shared by all links. */
  readonly cache: BoundedCache<string>;
}

export interface VaultOwner {
  readonly linkId: string;
  readonly fence: number;
  /** After each commit, in order: the arrivals that had not come before. */
  readonly onArrivals: (arrivals: readonly ArrivalDraft[]) => void;
  /** Something had come before: perhaps by a commit whose answer was lost, so that nobody was told. */
  readonly onCopies: () => void;
  readonly onBroken: (error: unknown) => void;
}

/** Claims the link for this owner. Rejects with `LinkLost` when a newer owner has it, or nobody knows it. */
export async function openVault(parts: VaultDependencies, owner: VaultOwner): Promise<Vault> {
  const { links, sealedBox } = parts;
  const sealed = await links.claim(owner.linkId, owner.fence);
  if (!sealed) throw new LinkLost((await links.exists(owner.linkId)) ? 'taken_over' : 'unknown');
  parts.cache.deleteAll(cacheKey(owner.linkId));
  const seal = createRecordSeal(sealedBox, owner.linkId);
  const creds: AuthenticationCreds = JSON.parse(seal.open(CREDS, sealed), BufferJSON.reviver);
  return createVault(parts, owner, creds);
}

/** Keeps the credentials of a link that has just been made; nobody owns it yet. */
export async function storeLink(
  { links, sealedBox, clock }: Pick<VaultDependencies, 'links' | 'sealedBox' | 'clock'>,
  linkId: string,
  creds: AuthenticationCreds,
): Promise<void> {
  const sealed = createRecordSeal(sealedBox, linkId).seal(CREDS, encodeRecord(creds));
  await links.create(linkId, sealed, clock.now());
}

let vaultsOpened = 0;

function createVault(parts: VaultDependencies, owner: VaultOwner, creds: AuthenticationCreds): Vault {
  const { store, links, clock, cache } = parts;
  const { linkId, fence } = owner;
  // A vault of the same link that was open here before may still be reading: what it finds must not come before what is written now.
  vaultsOpened += 1;
  const cached = cacheKey(linkId, `${vaultsOpened}`);
  const seal = createRecordSeal(parts.sealedBox, linkId);
  let credsAreDirty = false;
  let credsUnderWay: Promise<unknown> | undefined;
  let writes = 0;

  async function commit(change: Change): Promise<void> {
    try {
      // Two snapshots of the credentials must not overtake each other.
      while (credsAreDirty && credsUnderWay) await credsUnderWay;
      const sealedCreds = takeDirtyCreds();
      const written = write(change, sealedCreds);
      if (sealedCreds) followCreds(written);
      const { accepted, fresh } = await written;
      if (!accepted) throw new LinkLost((await links.exists(linkId)) ? 'taken_over' : 'unknown');
      const { arrivals = [] } = change;
      const news = arrivals.filter((_, index) => fresh[index]);
      if (news.length > 0) owner.onArrivals(news);
      if (news.length < arrivals.length) owner.onCopies();
    } catch (error) {
      cache.deleteAll(cached);
      owner.onBroken(error);
      throw error;
    }
  }

  /**
   * What the library cannot read it takes for undecryptable, and the network, once told so, forgets the message. So the socket goes before
   * the library hears of it.
   */
  async function orBreak<T>(reading: Promise<T>): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      owner.onBroken(error);
      throw error;
    }
  }

  function takeDirtyCreds(): Uint8Array | null {
    if (!credsAreDirty) return null;
    credsAreDirty = false;
    return seal.seal(CREDS, encodeRecord(creds));
  }

  function followCreds(written: Promise<unknown>): void {
    const over = written
      .catch(() => {})
      .then(() => {
        if (credsUnderWay === over) credsUnderWay = undefined;
      });
    credsUnderWay = over;
  }

  async function write(change: Change, sealedCreds: Uint8Array | null): Promise<Committed> {
    const texts = (change.puts ?? []).map((put) => ({ ...put, text: encodeRecord(put.value) }));
    writes += 1;
    const result = await store.run(commitLink, {
      linkId,
      fence,
      at: clock.now(),
      creds: sealedCreds,
      puts: texts.map(({ kind, id, text }) => ({
        kind,
        id,
        value: seal.seal({ kind, id }, text),
        expiresAt: expiryOf(kind, clock.now()),
      })),
      deletes: (change.deletes ?? []).map(({ kind, id }) => ({ kind, id })),
      arrivals: (change.arrivals ?? []).map(({ digest, eventKey, seq, value }) => ({
        digest,
        eventKey,
        seq,
        value: seal.seal({ kind: ARRIVAL, id: digest }, encodeRecord(value)),
      })),
      taken: change.taken ?? [],
    });
    writes += 1;
    for (const { kind, id } of change.deletes ?? []) cache.delete(cacheKey(cached, kind, id));
    for (const { kind, id, text } of texts)
      if (isWorthCaching(kind)) cache.set(cacheKey(cached, kind, id), text);
    return result;
  }

  async function read(kind: string, ids: readonly string[]): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    const missing: string[] = [];
    for (const id of ids) {
      const text = cache.get(cacheKey(cached, kind, id));
      if (text === undefined) missing.push(id);
      else if (text !== ABSENT) found.set(id, decodeRecord(kind, text));
    }
    if (missing.length === 0) return found;
    const writesBefore = writes;
    const rows = await orBreak(links.records(linkId, kind, missing));
    const texts = new Map(rows.map(({ id, value }) => [id, seal.open({ kind, id }, value)]));
    for (const [id, text] of texts) found.set(id, decodeRecord(kind, text));
    // A write that passed this read by has put the newer text into the cache.
    if (writes === writesBefore && isWorthCaching(kind)) {
      for (const id of missing) cache.set(cacheKey(cached, kind, id), texts.get(id) ?? ABSENT);
    }
    return found;
  }

  function openArrival(digest: string, value: Uint8Array | null): unknown {
    return value === null ? null : decodeRecord(ARRIVAL, seal.open({ kind: ARRIVAL, id: digest }, value));
  }

  return {
    linkId,
    creds,
    keys: {
      async get(kind, ids) {
        // The library names the type of each kind; what lies there was written by itself.
        return Object.fromEntries(await read(kind, ids)) as never;
      },
      set: (data) => commit(toChange(data)),
    },
    credsChanged() {
      if (credsAreDirty) return;
      credsAreDirty = true;
      queueMicrotask(() => {
        if (credsAreDirty) commit({}).catch(() => {});
      });
    },
    commit,
    read,
    async readAll(kind) {
      const rows = await links.recordsOfKind(linkId, kind);
      return new Map(rows.map(({ id, value }) => [id, decodeRecord(kind, seal.open({ kind, id }, value))]));
    },
    async arrivalOf(digest) {
      const row = await orBreak(links.arrival(linkId, digest));
      return row && openArrival(digest, row.value);
    },
    async waitingArrivals(limit) {
      const rows = await links.waitingArrivals(linkId, limit);
      return rows.map(({ digest, seq, value }) => ({ digest, seq, value: openArrival(digest, value) }));
    },
    settled: async () => void (await credsUnderWay),
  };
}

/** A batch of the library's keys, which may carry arrivals of the journal as one more kind. */
export type KeyBatch = SignalDataSet & {
  readonly [ARRIVAL]?: Readonly<Record<string, ArrivalDraft>>;
  /** Secrets of polls, by the id of the poll. */
  readonly poll?: Readonly<Record<string, PollSecret>>;
};

export interface PollSecret {
  readonly secret: Uint8Array;
  /** Who may have made it, under each of their addresses. */
  readonly creators: readonly string[];
}

function toChange({ [ARRIVAL]: arrivals, ...kinds }: KeyBatch): Change {
  const entries = Object.entries(kinds).flatMap(([kind, values]) =>
    Object.entries(values ?? {}).map(([id, value]) => ({ kind, id, value })),
  );
  return {
    puts: entries.filter(({ value }) => value !== null),
    deletes: entries.filter(({ value }) => value === null),
    arrivals: Object.values(arrivals ?? {}),
  };
}

const DAY_MS = 86_400_000;

/** Most records live as long as their link. A message is sent again on demand for a week, a poll may be voted in for half a year. */
const LIFE_MS: ReadonlyMap<string, number> = new Map([
  ['sent', 7 * DAY_MS],
  ['poll', 180 * DAY_MS],
]);

function expiryOf(kind: string, now: number): number | null {
  const life = LIFE_MS.get(kind);
  return life === undefined ? null : now + life;
}

/** Hundreds of prekeys are written at once and each is read once in its life. */
function isWorthCaching(kind: string): boolean {
  return kind !== 'pre-key';
}

function cacheKey(...parts: string[]): string {
  return `${parts.join('\n')}\n`;
}
