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
