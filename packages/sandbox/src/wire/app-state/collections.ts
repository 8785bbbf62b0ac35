import { createKeyedQueue } from '@parley/contract/plain';
import { proto, type WAPatchName } from 'baileys';
import type { PhoneNumber, Vault, World } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { Random } from '../ports.ts';
import {
  type Entry,
  emptyHash,
  entryName,
  expandKeys,
  mixHash,
  openMutation,
  patchMac,
  type SyncdKeys,
  sealEntry,
  snapshotMac,
  valueMacOf,
} from './syncd.ts';

/**
 * An account's app state: collections of encrypted patches, each one version on top of the last. A real server could not decrypt
 * them; here the account's phone is part of the same process and holds the key.
 */
export interface Collections {
  /** The key that the phone shares with its linked devices. */
  key(phone: PhoneNumber): AppStateKey;
  version(phone: PhoneNumber, name: WAPatchName): number;
  /** Patches above `version`, in order. */
  since(phone: PhoneNumber, name: WAPatchName, version: number, limit: number): proto.ISyncdPatch[];
  /** All records of the current version. */
  snapshot(phone: PhoneNumber, name: WAPatchName): proto.ISyncdSnapshot;
  /** The phone writes all entries in one patch. */
  write(phone: PhoneNumber, name: WAPatchName, entries: readonly Entry[]): Promise<void>;
  /** A linked device writes on top of `base`; 409 after a conflicting write. Returns the decrypted mutations. */
  accept(phone: PhoneNumber, name: WAPatchName, base: number, patch: Buffer): Promise<Mutation[]>;
}

interface AppStateKey {
  readonly id: Buffer;
  readonly data: proto.Message.IAppStateSyncKeyData;
}

export interface Mutation {
  readonly index: readonly string[];
  readonly value: proto.ISyncActionValue;
  readonly removed: boolean;
}

interface State {
  readonly version: number;
  readonly hash: Buffer;
}

const KEY_SCOPE = 'app-state.keys';
const STATE_SCOPE = 'app-state.states';
const patchScope = (phone: PhoneNumber, name: WAPatchName): string => `app-state.patches.${phone}.${name}`;
const recordScope = (phone: PhoneNumber, name: WAPatchName): string => `app-state.records.${phone}.${name}`;
const versionKey = (version: number): string => version.toString().padStart(10, '0');
const { SyncdOperation } = proto.SyncdMutation;

export function createCollections({
  world,
  random,
}: {
  world: Pick<World, 'vault' | 'transaction'>;
  random: Random;
}): Collections {
  const { vault } = world;
  const queued = createKeyedQueue();

  const key = (phone: PhoneNumber): AppStateKey => readKey(vault, random, phone);
  const keysOf = (phone: PhoneNumber): SyncdKeys => {
    const { id, data } = key(phone);
    return expandKeys(id, data.keyData ?? new Uint8Array());
  };

  const state = (phone: PhoneNumber, name: WAPatchName): State => {
    const kept = vault.read(STATE_SCOPE, `${phone}/${name}`);
    if (!kept) return { version: 0, hash: emptyHash() };
    const found = fromBytes<State & { indexValueMap?: unknown }>(kept);
    if (found.indexValueMap) collectRecords(phone, name, found);
    return found;
  };

  /** Files of earlier versions have the patches only. */
  const collectRecords = (phone: PhoneNumber, name: WAPatchName, { version, hash }: State): void =>
    world.transaction(() => {
      for (const { value } of vault.entries(patchScope(phone, name))) {
        for (const mutation of proto.SyncdPatch.decode(value).mutations) keep(phone, name, mutation);
      }
      vault.write(STATE_SCOPE, `${phone}/${name}`, toBytes({ version, hash }));
    });

  const record = (phone: PhoneNumber, name: WAPatchName, entry: string): proto.ISyncdRecord | undefined => {
    const kept = vault.read(recordScope(phone, name), entry);
    return kept && proto.SyncdRecord.decode(kept);
  };

  const keep = (phone: PhoneNumber, name: WAPatchName, mutation: proto.ISyncdMutation): void => {
    const scope = recordScope(phone, name);
    if (mutation.operation === SyncdOperation.REMOVE) vault.erase(scope, entryName(mutation));
    else vault.write(scope, entryName(mutation), proto.SyncdRecord.encode(mutation.record ?? {}).finish());
  };

  /** Applies the mutations to the records and returns the new hash over all of them. */
  const apply = (
    phone: PhoneNumber,
    name: WAPatchName,
    before: State,
    mutations: readonly proto.ISyncdMutation[],
  ): State => {
    const [out, into]: [Buffer[], Buffer[]] = [[], []];
    for (const mutation of mutations) {
      const replaced = record(phone, name, entryName(mutation));
      if (replaced) out.push(valueMacOf(replaced));
      if (mutation.operation !== SyncdOperation.REMOVE) into.push(valueMacOf(mutation.record));
      keep(phone, name, mutation);
    }
    return { version: before.version + 1, hash: mixHash(before.hash, out, into) };
  };

  const append = (phone: PhoneNumber, name: WAPatchName, next: State, patch: proto.ISyncdPatch): void => {
    const encoded = proto.SyncdPatch.encode({ ...patch, version: { version: next.version } }).finish();
    vault.write(patchScope(phone, name), versionKey(next.version), encoded);
    vault.write(STATE_SCOPE, `${phone}/${name}`, toBytes({ version: next.version, hash: next.hash }));
  };

  return {
    key,
    version: (phone, name) => state(phone, name).version,

    since(phone, name, version, limit) {
      const patches: proto.ISyncdPatch[] = [];
      const last = Math.min(state(phone, name).version, version + limit);
      for (let next = version + 1; next <= last; next += 1) {
        const kept = vault.read(patchScope(phone, name), versionKey(next));
        if (kept) patches.push(proto.SyncdPatch.decode(kept));
      }
      return patches;
    },

    snapshot(phone, name) {
      const keys = keysOf(phone);
      const { version, hash } = state(phone, name);
      return {
        version: { version },
        records: vault.entries(recordScope(phone, name)).map(({ value }) => proto.SyncdRecord.decode(value)),
        mac: snapshotMac(keys, name, version, hash),
        keyId: { id: keys.id },
      };
    },

    write: (phone, name, entries) =>
      queued(phone, async () => {
        if (entries.length === 0) return;
        const keys = keysOf(phone);
        const mutations = entries.map((entry) => sealEntry(keys, entry));
        world.transaction(() => {
          const next = apply(phone, name, state(phone, name), mutations);
          const said = { mutations, snapshotMac: snapshotMac(keys, name, next.version, next.hash) };
          const mac = patchMac(keys, name, next.version, said);
          append(phone, name, next, { ...said, patchMac: mac, keyId: { id: keys.id } });
        });
      }),

    accept: (phone, name, base, bytes) =>
      queued(phone, async () => {
        const before = state(phone, name);
        if (before.version !== base) throw new Refusal(409, 'conflict');
        const keys = keysOf(phone);
        const patch = proto.SyncdPatch.decode(bytes);
        const said = patch.mutations.map((mutation) => openMutation(keys, mutation));
        const version = base + 1;
        const wellMade =
          said.every((mutation) => mutation !== undefined) &&
          patchMac(keys, name, version, patch).equals(patch.patchMac ?? new Uint8Array());
        if (!wellMade) throw new Refusal(400, 'bad-request');
        world.transaction(() => append(phone, name, apply(phone, name, before, patch.mutations), patch));
        return said.flatMap((mutation) =>
          mutation
            ? [{ index: mutation.index, value: mutation.action.value ?? {}, removed: mutation.removed }]
            : [],
        );
      }),
  };
}

function readKey(vault: Vault, random: Random, phone: PhoneNumber): AppStateKey {
  const kept = vault.read(KEY_SCOPE, phone);
  const { id, keyData } = kept
    ? fromBytes<{ id: Buffer; keyData: Buffer }>(kept)
    : { id: Buffer.from(random.bytes(6)), keyData: Buffer.from(random.bytes(32)) };
  if (!kept) vault.write(KEY_SCOPE, phone, toBytes({ id, keyData }));
  return {
    id,
    data: { keyData, fingerprint: { rawId: 1, currentIndex: 0, deviceIndexes: [0] }, timestamp: 0 },
  };
}
