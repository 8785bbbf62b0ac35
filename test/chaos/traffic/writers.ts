import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../../conformance/gateway.ts';
import type { Person } from './person.ts';

/** A person who writes into a chat repeatedly, directly on the virtual network, which has no faults. */
export interface Writer {
  /** Ids of the messages that the network has accepted. */
  readonly written: readonly string[];
  /** Final text of each message, by id. */
  readonly finalTexts: ReadonlyMap<string, string>;
  keepWriting(stop: AbortSignal): Promise<void>;
}

const PAUSE_MS = 700;

/** Every third message is edited, by a message of its own. */
const EDITED = 3;

/** `to`: a chat that may have another address by the time of the next message. */
export function createWriter(network: Gateway, from: Person, to: () => string): Writer {
  const written: string[] = [];
  const finalTexts = new Map<string, string>();
  const write = async (number: string, message: object): Promise<string> => {
    const { message_id } = await network.sandbox<{ message_id: string }>(
      'POST',
      `/phones/${number}/messages`,
      { to: to(), ...message },
    );
    written.push(message_id);
    return message_id;
  };
  const writeOne = async (number: string): Promise<void> => {
    const text = `message ${written.length}`;
    const messageId = await write(number, { text });
    finalTexts.set(messageId, text);
    if (written.length % EDITED !== 0) return;
    await write(number, { type: 'edit', edit_message_id: messageId, text: 'better' });
    finalTexts.set(messageId, 'better');
  };
  return {
    written,
    finalTexts,
    async keepWriting(stop) {
      while (!stop.aborted) {
        await from.withNumber(writeOne);
        await sleep(PAUSE_MS);
      }
    },
  };
}

/** A person who renames a group repeatedly. */
export interface Renamer {
  /** Its names, in order. */
  readonly names: readonly string[];
  keepRenaming(stop: AbortSignal): Promise<void>;
}

export function createRenamer(network: Gateway, admin: Person, group: string): Renamer {
  const names: string[] = [];
  return {
    names,
    async keepRenaming(stop) {
      while (!stop.aborted) {
        const name = `Name ${names.length + 1}`;
        await admin.withNumber((number) =>
          network.sandbox('POST', `/phones/${number}/groups/${group}/name`, { name }),
        );
        names.push(name);
        await sleep(PAUSE_MS);
      }
    },
  };
}

/** The owner of a phone, who mutes a chat repeatedly, each time until another time. */
export interface Muter {
  /** In order. */
  readonly ends: readonly number[];
  keepMuting(stop: AbortSignal): Promise<void>;
  /** Mutes until there is an event: a device gets no news of changes from before its first synchronization. */
  begin(hasEvent: () => Promise<boolean>): Promise<void>;
}

/** Far in the future, so that no mute expires. */
const FIRST_END = 4_000_000_000;
const MOST_BEGINNINGS = 150;

export function createMuter(network: Gateway, owner: string, other: string): Muter {
  const ends: number[] = [];
  const path = `/phones/${owner}/chats/${encodeURIComponent(`${other}@s.whatsapp.net`)}/mute`;
  return {
    ends,
    async begin(hasEvent) {
      for (let end = FIRST_END - 1; !(await hasEvent()); end--) {
        if (end < FIRST_END - MOST_BEGINNINGS) throw new Error('mutes of chats have no events');
        await network.sandbox('POST', path, { until_unix: end });
        await sleep(PAUSE_MS);
      }
    },
    async keepMuting(stop) {
      while (!stop.aborted) {
        const until_unix = FIRST_END + ends.length;
        await network.sandbox('POST', path, { until_unix });
        ends.push(until_unix);
        await sleep(PAUSE_MS);
      }
    },
  };
}

/** Messages from before the link: more than its phone sends at once. */
const PAST_MESSAGES = 30;

export async function writePast(network: Gateway, from: string, to: string): Promise<Map<string, string>> {
  const finalTexts = new Map<string, string>();
  for (let place = 0; place < PAST_MESSAGES; place++) {
    const text = `past ${place}`;
    const path = `/phones/${from}/messages`;
    const { message_id } = await network.sandbox<{ message_id: string }>('POST', path, { to, text });
    finalTexts.set(message_id, text);
  }
  return finalTexts;
}
