import { type AuthenticationCreds, BufferJSON, type SignalKeyStore } from 'baileys';
import { awaitedLater, type Clock, createWaitGroup, neverRejects, type SealedBox, settled } from '#kernel';
import type { Store } from '#platform/store';
import type { RecordCache } from './cache.ts';
import type { LinkStore } from './link-queries.ts';
import { createPiggybackedAcks } from './piggybacked-acks.ts';
import {
  ARRIVAL,
  type ArrivalDraft,
  type Change,
  CREDS,
  createRecordSeal,
  decodeRecord,
  encodeRecord,
  expiryOf,
  type RecordSeal,
  toChange,
} from './records.ts';
import { type Committed, commitLink } from './write-commands.ts';

/**
 * Sealed records of one link, with one owner at a time:
 *
 *     openVault ──a newer owner, or no such link──▶ LinkLost
 *         │
 *      claimed
 *         ▼
 *       owned ──commit──▶ writing ──accepted──▶ owned: `onArrivals` for new arrivals, `onCopies` for known ones
 *         ▲                  ├─────failed───▶ broken: cache cleared, `onBroken`; the next connection finds it owned
 *         │                  └─────refused──▶ lost: the same with `LinkLost`; every later commit is refused as well
 *         └──read──▶ reading ──failed──▶ broken
 *
 * Each commit is one durable transaction that carries the owner's fence. A failure must close the socket,
 * because the library's state in memory is then ahead of the disk. The credentials have states of their own:
 *
 *     clean ──credsChanged──▶ dirty ──next commit, made in a microtask if there is none──▶ being written ──▶ clean
 */
export interface Vault {
  readonly linkId: string;
  /** When this owner claimed the link; no other process has written to it since. */
  readonly openedAt: number;
  /** Live object: the library changes it in place and calls `credsChanged`. */
  readonly creds: AuthenticationCreds;
  readonly keys: SignalKeyStore;
  credsChanged(): void;
  commit(change: Change): Promise<void>;
  /** Commits without being awaited: no later commit resolves before this one is durable. */
  commitAhead(change: Change): Promise<void>;
  /** Adds the digests of processed arrivals to one of the next commits; resolves after that commit. */
  takeSoon(digests: readonly string[]): Promise<void>;
  read(kind: string, ids: readonly string[]): Promise<Map<string, unknown>>;
  readAll(kind: string): Promise<Map<string, unknown>>;
  /** Journal value for this digest: `undefined` when unknown, `null` when already processed. */
  arrivalOf(digest: string): Promise<unknown>;
  /** Unprocessed arrivals in order of arrival. */
  waitingArrivals(limit: number): Promise<readonly { digest: string; seq: number; value: unknown }[]>;
  /** Waits for pending commits and acknowledgements. */
  settled(): Promise<void>;
}

export interface VaultDependencies {
  readonly store: Store;
  readonly links: LinkStore;
  readonly sealedBox: SealedBox;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Shared by all links. */
  readonly cache: RecordCache;
}

interface VaultOwner {
  readonly linkId: string;
  readonly fence: number;
  /** Called after each commit, in order, with the arrivals that were new. */
  readonly onArrivals: (arrivals: readonly ArrivalDraft[]) => void;
  /**
   * Called when a commit contained known arrivals. The answer of the first commit may have been lost, and then
   * `onArrivals` never ran.
   */
  readonly onCopies: () => void;
  readonly onBroken: (error: unknown) => void;
  /** Derives arrivals from changes of some kinds. */
  readonly consequences?: CommitEffects;
}

/** Serializes changes of these kinds and commits each in one transaction with the arrivals derived from it. */
interface CommitEffects {
  readonly kinds: ReadonlySet<string>;
  arrivalsOf(change: Change, read: Vault['read']): Promise<readonly ArrivalDraft[]>;
}

/** This process must stop using the link: a newer owner claimed it, or it was deleted. */
export class LinkLost extends Error {
  override readonly name = 'LinkLost';
  readonly reason: 'taken_over' | 'unknown';

  constructor(reason: LinkLost['reason']) {
    super(`the link is lost: ${reason}`);
    this.reason = reason;
  }
}

/** Claims the link for this owner. Rejects with `LinkLost` when a newer owner has it or it does not exist. */
export async function openVault(dependencies: VaultDependencies, owner: VaultOwner): Promise<Vault> {
  const { links, sealedBox } = dependencies;
  const sealed = await links.claim(owner.linkId, owner.fence);
  if (!sealed) throw await lostLink(links, owner.linkId);
  const seal = createRecordSeal(sealedBox, owner.linkId);
  const creds: AuthenticationCreds = JSON.parse(seal.open(CREDS, sealed), BufferJSON.reviver);
  return createVault(dependencies, owner, seal, creds);
}

/** Stores the credentials of a new link, which has no owner yet. */
export async function storeLink(
  { links, sealedBox, clock }: Pick<VaultDependencies, 'links' | 'sealedBox' | 'clock'>,
  linkId: string,
  creds: AuthenticationCreds,
): Promise<void> {
  const sealed = createRecordSeal(sealedBox, linkId).seal(CREDS, encodeRecord(creds));
  await links.create(linkId, sealed, clock.now());
}

async function lostLink(links: LinkStore, linkId: string): Promise<LinkLost> {
  return new LinkLost((await links.exists(linkId)) ? 'taken_over' : 'unknown');
}

function createVault(
  { store, links, clock, ...dependencies }: VaultDependencies,
  { linkId, fence, ...owner }: VaultOwner,
  seal: RecordSeal,
  creds: AuthenticationCreds,
): Vault {
  const cache = dependencies.cache.open(linkId);
  let credsAreDirty = false;
  let credsUnderWay: Promise<unknown> | undefined;
  let ahead: Promise<void> | undefined;
  const piggybackedAcks = createPiggybackedAcks(clock, commitPiggybacked);
  const underWay = createWaitGroup();

  let following: Promise<unknown> = Promise.resolve();

  function commit(change: Change): Promise<void> {
    const { consequences } = owner;
    if (!consequences || !change.puts?.some(({ kind }) => consequences.kinds.has(kind)))
      return commitNow(change);
    const done = following.then(async () => {
      const more = await consequences.arrivalsOf(change, read);
      await commitNow(
        more.length === 0 ? change : { ...change, arrivals: [...(change.arrivals ?? []), ...more] },
      );
    });
    following = settled(done);
    return done;
  }

  function commitAhead(change: Change): Promise<void> {
    const done = commit(change);
    ahead = done;
    const forget = (): void => {
      if (ahead === done) ahead = undefined;
    };
    neverRejects(settled(done).then(forget));
    return done;
  }

  function commitPiggybacked(): void {
    awaitedLater(commit({}));
  }

  function commitNow(change: Change): Promise<void> {
    const done = commitInTurn(change);
    underWay.add(settled(done));
    return done;
  }

  async function commitInTurn(change: Change): Promise<void> {
    const before = ahead;
    let riding: ReturnType<typeof piggybackedAcks.attach>;
    try {
      // Snapshots of the credentials must be written in order.
      while (credsAreDirty && credsUnderWay) await credsUnderWay;
      const sealedCreds = takeDirtyCreds();
      riding = piggybackedAcks.attach();
      const written = write(change, sealedCreds, riding?.digests);
      if (sealedCreds) followCreds(written);
      const { accepted, fresh } = await written;
      if (!accepted) throw await lostLink(links, linkId);
      riding?.committed.resolve();
      await before;
      const { arrivals = [] } = change;
      const news = arrivals.filter((_, index) => fresh[index]);
      if (news.length > 0) owner.onArrivals(news);
      if (news.length < arrivals.length) owner.onCopies();
    } catch (error) {
      riding?.committed.reject(error);
      cache.clear();
      owner.onBroken(error);
      throw error;
    }
  }

  /**
   * Closes the socket before the library sees the failure. The library reports a failed read as an undecryptable
   * message, and the network then drops the message.
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
    // The next snapshot waits for this one, so at most one is pending.
    credsUnderWay = settled(written).then(() => {
      credsUnderWay = undefined;
    });
  }

  async function write(
    change: Change,
    sealedCreds: Uint8Array | null,
    riding: readonly string[] = [],
  ): Promise<Committed> {
    const { puts = [], deletes = [], arrivals = [], taken = [] } = change;
    const texts = puts.map(({ kind, id, value }) => ({ kind, id, text: encodeRecord(value) }));
    cache.beginWrite();
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
      deletes: deletes.map(({ kind, id }) => ({ kind, id })),
      arrivals: arrivals.map(({ digest, eventKey, seq, value }) => ({
        digest,
        eventKey,
        seq,
        value: seal.seal({ kind: ARRIVAL, id: digest }, encodeRecord(value)),
      })),
      taken: [...taken, ...riding],
    });
    cache.endWrite(texts, deletes);
    return result;
  }

  async function read(kind: string, ids: readonly string[]): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    const missing: string[] = [];
    for (const id of ids) {
      const text = cache.get(kind, id);
      if (text === undefined) missing.push(id);
      else if (text !== null) found.set(id, decodeRecord(kind, text));
    }
    if (missing.length === 0) return found;
    const { version } = cache;
    const rows = await orBreak(links.records(linkId, kind, missing));
    const texts = new Map(rows.map(({ id, value }) => [id, seal.open({ kind, id }, value)]));
    for (const [id, text] of texts) found.set(id, decodeRecord(kind, text));
    cache.fill(version, kind, missing, texts);
    return found;
  }

  function openArrival(digest: string, value: Uint8Array | null): unknown {
    return value === null ? null : decodeRecord(ARRIVAL, seal.open({ kind: ARRIVAL, id: digest }, value));
  }

  return {
    linkId,
    openedAt: clock.now(),
    creds,
    keys: {
      async get(kind, ids) {
        // The library names the type of each kind, and wrote these records itself.
        return Object.fromEntries(await read(kind, ids)) as never;
      },
      set: (data) => commit(toChange(data)),
    },
    credsChanged() {
      if (credsAreDirty) return;
      credsAreDirty = true;
      queueMicrotask(() => {
        // A failure breaks the vault, which closes the session with the error.
        if (credsAreDirty) awaitedLater(commit({}));
      });
    },
    commit,
    commitAhead,
    takeSoon: piggybackedAcks.add,
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
    async settled() {
      if (piggybackedAcks.size > 0) commitPiggybacked();
      // Acknowledgements may be part of a commit that another caller has begun.
      await underWay.whenIdle();
    },
  };
}
