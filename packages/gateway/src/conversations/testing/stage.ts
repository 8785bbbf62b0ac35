import type { EventOf } from '@parley/contract';
import { expect } from 'vitest';
import { createDataKeys } from '#accounts';
import {
  createIds,
  createSealedBox,
  createSteppedClock,
  createSystemClock,
  systemRandom,
  type TravelClock,
} from '#kernel';
import { createLocalBus } from '#platform/bus';
import type { Store } from '#platform/store';
import { choose, type HistoryContext } from '../choose.ts';
import { createHistories, type Histories } from '../histories.ts';
import { readMessages } from '../reading.ts';
import { type HistoryEntry, keepEntries } from '../write-commands.ts';

/** For the tests of this room: a number and its messages. */
export const START = Date.UTC(2026, 0, 1);
export const DAY_MS = 86_400_000;
export const ME = '15550001001@s.whatsapp.net';
export const ADA = '15550002001@s.whatsapp.net';
export const BEN = '15550002002@s.whatsapp.net';
export const GROUP = '120363041234567890@g.us';

/** A small picture that arrived completely. */
export const FILE = {
  mimetype: 'image/png',
  extension: 'png',
  file_length: 4,
  data: 'AAAA',
  status: 'downloaded',
} as const;

const sealedBox = createSealedBox({ masterKeys: [Buffer.alloc(32, 7)], random: systemRandom });
export const commandModules = [new URL('../write-commands.ts', import.meta.url)];

interface Number {
  readonly slotId: string;
  readonly accountId: string;
  readonly phone: string;
}

let made = 0;

export type Stage = Awaited<ReturnType<typeof begin>>;

/** A number that no other test uses, in a process of its own. */
export async function begin(store: Store, over: Partial<HistoryContext> = {}) {
  const clock = createSteppedClock(START);
  const bus = createLocalBus({ clock: createSystemClock() });
  const keys = createDataKeys({ store, sealedBox, random: systemRandom, clock });
  const log = { debug() {}, error: (details: object) => expect(details).toBeUndefined() };
  const histories = createHistories({ store, bus, keys, clock, log });
  const ids = createIds({ clock, random: systemRandom });
  const links = { urlOf: async (...of: unknown[]) => of.join(' ') };
  const context: HistoryContext = {
    ...{ store, bus, clock, ids, keys, histories, links },
    maxBytes: 1e9,
    ...over,
  };
  const name = ++made;
  const number = { slotId: `slot_${name}`, accountId: `acc_${name}`, phone: `1555000${name}` };
  return {
    ...talkOf({ store, clock, histories, number }),
    context,
    number,
    clock,
    histories,
    store,
    keys,
  };
}

export async function beginOn(store: Store, over: Partial<HistoryContext> = {}): Promise<Stage> {
  const stage = await begin(store, over);
  await choose(stage.context, stage.number, { enabled: true });
  return stage;
}

export const texts = async ({ context, number }: Stage, chat = ADA): Promise<string[]> =>
  (await readMessages(context, number.slotId, chat, {})).messages.map(({ text }) => text);

export function message(changes: Partial<EventOf<'message'>>): EventOf<'message'> {
  return {
    kind: 'message',
    message_id: `M${++made}`,
    session_id: '15550001001:1@s.whatsapp.net',
    sender_jid: ADA,
    sender_name: 'Ada',
    chat_jid: ADA,
    is_group: false,
    type: 'text',
    text: '',
    timestamp_unix: START / 1_000,
    broadcast: false,
    ...changes,
  };
}

function talkOf(parts: { store: Store; clock: TravelClock; histories: Histories; number: Number }) {
  const { store, clock, histories, number } = parts;
  const keeper = () => histories.of(number.slotId);
  const entriesOf = (...events: EventOf<'message'>[]): HistoryEntry[] =>
    events.flatMap((event) => keeper()?.message(event) ?? []);
  async function keep(...events: EventOf<'message'>[]): Promise<void> {
    await store.run(keepEntries, entriesOf(...events));
  }
  const now = () => Math.floor(clock.now() / 1_000);
  return {
    entriesOf,
    keep,
    /** An admin deletes the message of another member. */
    async keepOfAdmin(event: EventOf<'message'>): Promise<void> {
      await store.run(keepEntries, keeper()?.message(event, { byAdmin: true }) ?? []);
    },
    receiveMessage: (text: string, changes: Partial<EventOf<'message'>> = {}) =>
      keep(message({ text, timestamp_unix: now(), ...changes })),
    async say(text: string, changes: Partial<EventOf<'message'>> = {}): Promise<string> {
      const own = message({ text, from_me: true, sender_jid: ME, timestamp_unix: now(), ...changes });
      await keep(own);
      return own.message_id;
    },
    async receive(messageId: string, recipient: string, type: 'delivered' | 'read'): Promise<void> {
      const entries = keeper()?.receipt({ messageId, recipient, type, timestamp: now() }) ?? [];
      await store.run(keepEntries, entries);
    },
  };
}
