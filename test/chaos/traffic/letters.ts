import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../../conformance/gateway.ts';

/** Somebody who writes into a chat again and again, straight on the virtual network, which does not fail. */
export interface Writer {
  /** Ids of the messages that the network has taken. */
  readonly written: readonly string[];
  /** What each of its letters says in the end, by its id. */
  readonly letters: ReadonlyMap<string, string>;
  keepWriting(stop: AbortSignal): Promise<void>;
}

const PAUSE_MS = 700;

/** Each third letter is followed by another wording of it, which is a message of its own. */
const EDITED = 3;

export function createWriter(network: Gateway, from: string, to: string): Writer {
  const written: string[] = [];
  const letters = new Map<string, string>();
  const write = async (message: object): Promise<string> => {
    const { message_id } = await network.sandbox<{ message_id: string }>('POST', `/phones/${from}/messages`, {
      to,
      ...message,
    });
    written.push(message_id);
    return message_id;
  };
  return {
    written,
    letters,
    async keepWriting(stop) {
      while (!stop.aborted) {
        const text = `letter ${written.length}`;
        const letter = await write({ text });
        letters.set(letter, text);
        if (written.length % EDITED === 0) {
          await write({ type: 'edit', edit_message_id: letter, text: 'better' });
          letters.set(letter, 'better');
        }
        await sleep(PAUSE_MS);
      }
    },
  };
}

/** Somebody who gives a group one name after the other. */
export interface Renamer {
  /** What it was called, in order. */
  readonly names: readonly string[];
  keepRenaming(stop: AbortSignal): Promise<void>;
}

export function createRenamer(network: Gateway, admin: string, group: string): Renamer {
  const names: string[] = [];
  return {
    names,
    async keepRenaming(stop) {
      while (!stop.aborted) {
        const name = `Name ${names.length + 1}`;
        await network.sandbox('POST', `/phones/${admin}/groups/${group}/name`, { name });
        names.push(name);
        await sleep(PAUSE_MS);
      }
    },
  };
}

/** The owner of a phone, who mutes a chat until one time after the other. */
export interface Muter {
  /** In order. */
  readonly ends: readonly number[];
  keepMuting(stop: AbortSignal): Promise<void>;
  /** Mutes until that is told: what was done before a device has taken in how the phone has its chats is no news to it. */
  begin(isTold: () => Promise<boolean>): Promise<void>;
}

/** Far ahead, so that none of them is over. */
const FIRST_END = 4_000_000_000;
const MOST_BEGINNINGS = 150;

export function createMuter(network: Gateway, owner: string, other: string): Muter {
  const ends: number[] = [];
  const path = `/phones/${owner}/chats/${encodeURIComponent(`${other}@s.whatsapp.net`)}/mute`;
  return {
    ends,
    async begin(isTold) {
      for (let end = FIRST_END - 1; !(await isTold()); end--) {
        if (end < FIRST_END - MOST_BEGINNINGS) throw new Error('what is done with chats is never told');
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

/** What was said before the number was linked: more than its phone tells at once. */
const LETTERS_OF_THE_PAST = 30;

export async function writePast(network: Gateway, from: string, to: string): Promise<Map<string, string>> {
  const letters = new Map<string, string>();
  for (let place = 0; place < LETTERS_OF_THE_PAST; place++) {
    const text = `past ${place}`;
    const path = `/phones/${from}/messages`;
    const { message_id } = await network.sandbox<{ message_id: string }>('POST', path, { to, text });
    letters.set(message_id, text);
  }
  return letters;
}
