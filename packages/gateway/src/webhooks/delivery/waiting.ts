import type { LoadedDelivery } from '#event-log';

/**
 * What a lane has read and not started yet. Of one chat only the oldest may start, and the next one when its attempt is over; what belongs to
 * no chat's order may start at any time.
 *
 *   add ──▶ ready ──start──▶ under way ──over──▶
 *     └──▶ behind the one of its chat that is ready or under way ──over of that one──▶ ready
 */
export interface Waiting {
  readonly size: number;
  /** How many of them may start. */
  readonly ready: number;
  add(held: readonly LoadedDelivery[]): void;
  /** Takes out the oldest that may start. */
  start(): LoadedDelivery | undefined;
  /** The attempt of one that was started has come to its end, whichever. */
  over(held: LoadedDelivery): void;
  /** Takes out all of them. A chat with an attempt under way stays taken until that is over. */
  clear(): LoadedDelivery[];
}

interface Chat {
  /** The one in front is under way; else it is ready. */
  underWay: boolean;
  behind: LoadedDelivery[];
}

export function createWaiting(): Waiting {
  let ready: LoadedDelivery[] = [];
  let behindOthers = 0;
  /** Those with one in front. */
  const chats = new Map<string, Chat>();

  function addOne(held: LoadedDelivery): void {
    const chat = held.chat === undefined ? undefined : chats.get(held.chat);
    if (chat) {
      chat.behind.push(held);
      behindOthers++;
      return;
    }
    if (held.chat !== undefined) chats.set(held.chat, { underWay: false, behind: [] });
    ready.push(held);
  }

  /** Among those that may start it takes the place that it was queued for. */
  function makeReady(held: LoadedDelivery): void {
    const place = ready.findIndex((other) => comesBefore(held, other));
    if (place === -1) ready.push(held);
    else ready.splice(place, 0, held);
  }

  return {
    get size() {
      return ready.length + behindOthers;
    },
    get ready() {
      return ready.length;
    },
    add(held) {
      for (const each of held) addOne(each);
    },
    start() {
      const held = ready.shift();
      const chat = held?.chat === undefined ? undefined : chats.get(held.chat);
      if (chat) chat.underWay = true;
      return held;
    },
    over(held) {
      const chat = held.chat === undefined ? undefined : chats.get(held.chat);
      if (held.chat === undefined || !chat) return;
      const next = chat.behind.shift();
      if (!next) {
        chats.delete(held.chat);
        return;
      }
      chat.underWay = false;
      behindOthers--;
      makeReady(next);
    },
    clear() {
      const all = ready;
      for (const [name, chat] of chats) {
        all.push(...chat.behind);
        if (chat.underWay) chat.behind = [];
        else chats.delete(name);
      }
      ready = [];
      behindOthers = 0;
      return all;
    },
  };
}

function comesBefore({ delivery: one }: LoadedDelivery, { delivery: other }: LoadedDelivery): boolean {
  return one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.seq < other.seq);
}
