import { createKeyedQueue } from '@parley/contract/plain';
import {
  decodeSyncdPatch,
  encodeSyncdPatch,
  type LTHashState,
  newLTHashState,
  proto,
  type WAPatchCreate,
  type WAPatchName,
} from 'baileys';
import type { PhoneNumber, Vault, World } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { Random } from '../ports.ts';

/**
 * An account's app state: collections of encrypted patches, each one version on top of the last. A real server could not read
 * them; here the account's phone lives in the same house and holds the key.
 */
export interface Collections {
  /** The key that the phone shares with its linked devices. */
  key(phone: PhoneNumber): AppStateKey;
  version(phone: PhoneNumber, name: WAPatchName): number;
  /** The encoded patches above `version`, in their order. */
  since(phone: PhoneNumber, name: WAPatchName, version: number): Uint8Array[];
  /** The phone writes. */
  write(phone: PhoneNumber, change: WAPatchCreate): Promise<void>;
  /** A linked device writes, on top of `base`; 409 when others were faster. Answers what the patch says. */
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

const KEY_SCOPE = 'app-state.keys';
const STATE_SCOPE = 'app-state.states';
const patchScope = (phone: PhoneNumber, name: WAPatchName): string => `app-state.patches.${phone}.${name}`;
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

  const state = (phone: PhoneNumber, name: WAPatchName): LTHashState => {
    const kept = vault.read(STATE_SCOPE, `${phone}/${name}`);
    return kept ? fromBytes<LTHashState>(kept) : newLTHashState();
  };

  const append = (
    phone: PhoneNumber,
    name: WAPatchName,
    next: LTHashState,
    patch: proto.ISyncdPatch,
  ): void => {
    const encoded = proto.SyncdPatch.encode({ ...patch, version: { version: next.version } }).finish();
    world.transaction(() => {
      vault.write(patchScope(phone, name), versionKey(next.version), encoded);
      vault.write(STATE_SCOPE, `${phone}/${name}`, toBytes(next));
    });
  };

  return {
    key,
    version: (phone, name) => state(phone, name).version,

    since(phone, name, version) {
      const after = versionKey(version);
      const patches = vault.entries(patchScope(phone, name));
      return patches.filter((entry) => entry.key > after).map((entry) => entry.value);
    },

    write: (phone, change) =>
      queued(phone, async () => {
        const { id, data } = key(phone);
        const before = state(phone, change.type);
        const { patch, state: next } = await encodeSyncdPatch(
          change,
          id.toString('base64'),
          before,
          async () => data,
        );
        // the library leaves what was just removed in its table
        if (change.operation === SyncdOperation.REMOVE) delete next.indexValueMap[indexMac(patch)];
        append(phone, change.type, next, patch);
      }),

    accept: (phone, name, base, bytes) =>
      queued(phone, async () => {
        const before = state(phone, name);
        if (before.version !== base) throw new Refusal(409, 'conflict');
        const patch = proto.SyncdPatch.decode(bytes);
        const next = { ...before, version: base + 1 };
        patch.version = proto.SyncdVersion.create({ version: next.version });
        const said: Mutation[] = [];
        const { data } = key(phone);
        const result = await decodeSyncdPatch(
          patch,
          name,
          before,
          async () => data,
          ({ index, syncAction }) => {
            const removed = patch.mutations[said.length]?.operation === SyncdOperation.REMOVE;
            said.push({ index, value: syncAction.value ?? {}, removed });
          },
          true,
        );
        append(phone, name, { ...next, ...result }, patch);
        return said;
      }),
  };
}

function indexMac(patch: proto.ISyncdPatch): string {
  return Buffer.from(patch.mutations?.[0]?.record?.index?.blob ?? []).toString('base64');
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
