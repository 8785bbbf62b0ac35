import {
  type BinaryNode,
  decodeSyncdMutations,
  downloadExternalPatch,
  extractSyncdPatches,
  newLTHashState,
  proto,
  type SignalKeyStore,
  toNumber,
  type WASocket,
} from 'baileys';
import type { ChatEvent } from '../../events.ts';
import { boundedSeconds, chatChangeOf } from '../convert/index.ts';
import type { SessionContext } from '../session-context.ts';
import type { KeyBatch } from '../vault/index.ts';
import { CHAT_COLLECTIONS, COLLECTION_VERSION, collectionVersionIn } from './app-state-sync.ts';
import { personAt } from './people.ts';

const COLLECTIONS: ReadonlySet<string> = new Set(CHAT_COLLECTIONS);
const { REMOVE } = proto.SyncdMutation.SyncdOperation;

/**
 * Changes that the owner of a number makes to chats arrive as patches of the account's app state. The library
 * fetches them, stores its new version and emits the changes afterwards, so that a crash in between would lose
 * them. Here the same answers are read when the library stores its version, and the changes are journalled in
 * that transaction.
 */
export interface ChatChanges {
  attach(sock: WASocket): void;
  /** Wraps the library's keys: a write of a version carries the changes along. */
  journalled(keys: SignalKeyStore): SignalKeyStore;
}

interface ChatChangesParts {
  readonly context: Pick<SessionContext, 'vault' | 'clock'>;
  /** Request options for patches in files, which do not fit into a stanza. */
  readonly options: () => RequestInit;
  readonly entriesFor: (events: readonly ChatEvent[]) => KeyBatch;
}

type Patches = Awaited<ReturnType<typeof extractSyncdPatches>>[keyof Awaited<
  ReturnType<typeof extractSyncdPatches>
>];

export function createChatChanges({ context, options, entriesFor }: ChatChangesParts): ChatChanges {
  const { clock } = context;
  /** Answers that the library has not processed yet. */
  let answers: BinaryNode[] = [];

  const keyOf = async (id: string) => {
    const found = await context.vault().keys.get('app-state-sync-key', [id]);
    return found[id];
  };

  async function eventsUpTo(
    read: readonly BinaryNode[],
    versions: ReadonlyMap<string, number>,
  ): Promise<ChatEvent[]> {
    const known = await context.vault().read(COLLECTION_VERSION, [...versions.keys()]);
    const events: ChatEvent[] = [];
    for (const answer of read) {
      const patchesByName = await extractSyncdPatches(answer, options());
      for (const [name, patches] of Object.entries(patchesByName)) {
        const newest = versions.get(name);
        if (newest === undefined || !COLLECTIONS.has(name)) continue;
        events.push(...(await eventsIn(name, patches, collectionVersionIn(known.get(name)), newest)));
      }
    }
    return [...new Map(events.map((event) => [event.id, event])).values()];
  }

  async function eventsIn(
    name: string,
    { patches, snapshot }: Patches,
    known: number | undefined,
    newest: number,
  ): Promise<ChatEvent[]> {
    // All of it was there when the number was linked.
    if (known === undefined && context.vault().creds.accountSyncCounter === 0) return [];
    const events: ChatEvent[] = [];
    // In a collection that was empty until now every entry is new; in any other the new entries are unknown.
    if (known === undefined && snapshot) {
      const mutations = (snapshot.records ?? []).map((record) => ({ record }));
      events.push(...(await eventsOf(mutations, `${name}/${toNumber(snapshot.version?.version ?? 0)}`)));
    }
    for (const { version, mutations, externalMutations } of patches) {
      const number = toNumber(version?.version ?? 0);
      if (number <= (known ?? 0) || number > newest) continue;
      const more = externalMutations
        ? (await downloadExternalPatch(externalMutations, options())).mutations
        : [];
      events.push(...(await eventsOf([...(mutations ?? []), ...more], `${name}/${number}`)));
    }
    return events;
  }

  async function eventsOf(mutations: readonly proto.ISyncdMutation[], place: string): Promise<ChatEvent[]> {
    const events: ChatEvent[] = [];
    for (const [at, mutation] of mutations.entries()) {
      if (mutation.operation === REMOVE) continue;
      const said: { index: unknown; value: proto.ISyncActionValue }[] = [];
      await decodeSyncdMutations(
        [mutation],
        newLTHashState(),
        keyOf,
        ({ index, syncAction }) => void said.push({ index, value: syncAction.value ?? {} }),
        true,
      );
      for (const { index, value } of said) {
        const chatChange = Array.isArray(index) ? chatChangeOf(index, value) : undefined;
        if (!chatChange) continue;
        events.push({
          kind: 'chat',
          id: `chat/${place}/${at}`,
          timestamp: boundedSeconds(toNumber(value.timestamp ?? clock.now()) / 1_000),
          chat: await personAt(context.vault(), chatChange.chat),
          change: chatChange.change,
        });
      }
    }
    return events;
  }

  return {
    attach(sock) {
      answers = [];
      sock.ws.on('frame', (frame: BinaryNode | Uint8Array) => {
        if (!(frame instanceof Uint8Array) && isAnswerWithNews(frame)) answers.push(frame);
      });
    },
    journalled: (keys) => ({
      ...keys,
      async set(data) {
        const versions = new Map(
          Object.entries(data[COLLECTION_VERSION] ?? {}).flatMap(([name, state]) => {
            const version = collectionVersionIn(state);
            return version === undefined ? [] : [[name, version] as const];
          }),
        );
        if (versions.size === 0 || answers.length === 0) return keys.set(data);
        const read = answers;
        // When this write fails, the library asks again from its old version; an unreadable answer must not block
        // that.
        answers = [];
        const news = entriesFor(await eventsUpTo(read, versions));
        await keys.set({ ...data, ...news });
      },
    }),
  };
}

function isAnswerWithNews({ tag, content }: BinaryNode): boolean {
  if (tag !== 'iq' || !Array.isArray(content)) return false;
  return content.some(
    (child) =>
      child.tag === 'sync' &&
      Array.isArray(child.content) &&
      child.content.some(
        ({ attrs, content: inside }) => COLLECTIONS.has(attrs.name ?? '') && Array.isArray(inside),
      ),
  );
}
