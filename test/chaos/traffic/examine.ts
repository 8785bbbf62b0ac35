import type { Gateway } from '../../conformance/gateway.ts';
import { until } from '../linked-number.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { Accepted, BusyNumber } from './number.ts';

/** Outcomes of the messages of a number; all but what `isClean` names should be zero. */
export interface Findings {
  readonly accepted: number;
  /** Sends to a number that its owner had given up, which failed for that reason. */
  readonly refused: number;
  readonly peerMessages: number;
  readonly lost: number;
  readonly doubled: number;
  readonly disordered: number;
  readonly withoutStatus: number;
  readonly withTwoStatuses: number;
  /** Messages that a phone could not decrypt, requested again and still waits for. */
  readonly awaited: number;
  /** Messages of the friend and of the owner, and sends themselves, without an event. */
  readonly withoutEvent: number;
  /** New names of the group, with as many events as there were changes. */
  readonly renamed: number;
  readonly unnamed: number;
  readonly namedTwice: number;
  /** Mutes of a chat on the owner's phone, with as many events as there were changes. */
  readonly muted: number;
  readonly unmuted: number;
  readonly mutedTwice: number;
  /** Messages from before the link, which must have no event. */
  readonly pastEvents: number;
  /** Messages in the stored history, as they were written and edited. */
  readonly kept: number;
  readonly unkept: number;
  /** Stored twice, with other words, or never written; or a chat in another state than the owner's. */
  readonly miskept: number;
}

export const NOTHING_FOUND: Findings = {
  accepted: 0,
  refused: 0,
  peerMessages: 0,
  lost: 0,
  doubled: 0,
  disordered: 0,
  withoutStatus: 0,
  withTwoStatuses: 0,
  awaited: 0,
  withoutEvent: 0,
  renamed: 0,
  unnamed: 0,
  namedTwice: 0,
  muted: 0,
  unmuted: 0,
  mutedTwice: 0,
  pastEvents: 0,
  kept: 0,
  unkept: 0,
  miskept: 0,
};

export function add(some: Findings, more: Findings): Findings {
  const keys = Object.keys(some) as (keyof Findings)[];
  return Object.fromEntries(keys.map((key) => [key, some[key] + more[key]])) as unknown as Findings;
}

export function isClean({
  accepted,
  refused: _,
  peerMessages,
  renamed,
  muted,
  kept,
  ...faults
}: Findings): boolean {
  const all = [accepted, peerMessages, renamed, muted, kept];
  return all.every((count) => count > 0) && Object.values(faults).every((count) => count === 0);
}

export function summarize(after: string, found: Findings): string {
  return (
    `${after}: ${found.accepted} accepted, ${found.refused} refused for a number given up, ${found.lost} lost, ${found.doubled} doubled, ${found.disordered} out of order, ` +
    `${found.withoutStatus} without a status event, ${found.withTwoStatuses} with two, ${found.awaited} requested again in vain; ` +
    `${found.peerMessages} messages of others, ${found.withoutEvent} without an event; ${found.renamed} new names, ${found.unnamed} without an event, ${found.namedTwice} with two; ` +
    `${found.muted} chats muted, ${found.unmuted} without an event, ${found.mutedTwice} with two; ${found.pastEvents} events of the past; ` +
    `${found.kept} kept, ${found.unkept} not kept, ${found.miskept} kept wrongly`
  );
}

/** A process that is killed during a delivery delays it by half a minute, a second one by five. A busy machine makes it slow, not red. */
const THIRD_ATTEMPT_MS = 7 * 60_000;

export async function examine(
  network: Gateway,
  number: BusyNumber,
  recorder: EventRecorder,
): Promise<Findings> {
  const wasRefused = ({ chat, messageId }: Accepted): boolean =>
    number.friend.numbers.slice(0, -1).includes(chat) &&
    recorder.failureOf(messageId) === 'INVALID_RECIPIENT';
  const ids = number.accepted.map(({ messageId }) => messageId);
  const sent = (): Accepted[] => number.accepted.filter((one) => !wasRefused(one));
  const peerMessages = number.writers.flatMap(({ written }) => written);
  const withoutStatus = (): string[] => ids.filter((id) => recorder.eventsAbout(id).size === 0);
  const withoutEvent = (): string[] =>
    [...peerMessages, ...sent().map(({ messageId }) => messageId)].filter((id) => !recorder.hasEventFor(id));
  const { group, renamer } = number;
  const renamings = (): number[] => renamer.names.map((name) => recorder.renameEvents(group, name).size);
  const unnamed = (): number[] => renamings().filter((count) => count === 0);
  const { sessionId, muter, past } = number;
  const mutings = (): number[] => muter.ends.map((end) => recorder.muteEvents(sessionId, end).size);
  const unmuted = (): number[] => mutings().filter((count) => count === 0);
  const missing = async (): Promise<string[]> => {
    const shown = await shownTo(network, number);
    return sent().flatMap(({ text }) => (shown.some((seen) => seen.text === text) ? [] : [text]));
  };
  // What is missing by then is counted below.
  await until('the last status event', withoutStatus, isEmpty, THIRD_ATTEMPT_MS).catch(() => {});
  await until('the last message', missing, isEmpty, LAST_MESSAGE_MS).catch(() => {});
  await until('the last event', withoutEvent, isEmpty, THIRD_ATTEMPT_MS).catch(() => {});
  await until('the last new name', unnamed, isEmpty, THIRD_ATTEMPT_MS).catch(() => {});
  await until('the last muted chat', unmuted, isEmpty, THIRD_ATTEMPT_MS).catch(() => {});

  const shown = await shownTo(network, number);
  const texts = shown.map(({ text }) => text);
  const chats = new Set(number.accepted.map(({ chat }) => chat));
  return {
    accepted: ids.length,
    refused: ids.length - sent().length,
    peerMessages: peerMessages.length,
    lost: (await missing()).length,
    doubled: texts.length - new Set(texts).size,
    disordered: [...chats].reduce((sum, chat) => sum + disorderIn(chat, number, shown), 0),
    withoutStatus: withoutStatus().length,
    withTwoStatuses: ids.filter((id) => recorder.eventsAbout(id).size > 1).length,
    awaited: await awaitedBy(network, number),
    withoutEvent: withoutEvent().length,
    renamed: renamer.names.length,
    unnamed: unnamed().length,
    namedTwice: renamings().filter((count) => count > 1).length,
    muted: muter.ends.length,
    unmuted: unmuted().length,
    mutedTwice: mutings().filter((count) => count > 1).length,
    pastEvents: [...past.keys()].filter((id) => recorder.hasEventFor(id)).length,
    ...(await examineKept(number, sent())),
  };
}

/** The history is written with its event: once all events are delivered, it is complete. */
async function examineKept(
  number: BusyNumber,
  sent: readonly Accepted[],
): Promise<Pick<Findings, 'kept' | 'unkept' | 'miskept'>> {
  const expected = new Map([...number.past, ...number.writers.flatMap(({ finalTexts }) => [...finalTexts])]);
  for (const { messageId, text } of sent) expected.set(messageId, text);
  // Past messages arrive in the background.
  const missing = async (): Promise<string[]> => {
    const there = new Set((await number.kept()).map(({ message_id }) => message_id));
    return [...number.past.keys()].filter((id) => !there.has(id));
  };
  await until('the last of the past', missing, isEmpty).catch(() => {});
  const kept = await number.kept();
  const isMutedAsLast = (await number.mutedUntil()) === number.muter.ends.at(-1);
  const ids = new Set(kept.map(({ message_id }) => message_id));
  const asWritten = kept.filter(({ message_id, text }) => expected.get(message_id) === text);
  return {
    kept: asWritten.length,
    unkept: [...expected.keys()].filter((id) => !ids.has(id)).length,
    miskept:
      kept.length - new Set(asWritten.map(({ message_id }) => message_id)).size + (isMutedAsLast ? 0 : 1),
  };
}

/** After the status event of the network's ack, a phone may still request a message again. */
const LAST_MESSAGE_MS = 60_000;

interface Shown {
  readonly message_id: string;
  readonly text: string;
  readonly chat_jid: string;
  /** Number of the phone that shows it. */
  readonly on: string;
}

/** The number's messages on the friend's phone, under all of its numbers; a repeat under the same id is one message. */
async function shownTo(network: Gateway, { phone, friend }: BusyNumber): Promise<Shown[]> {
  const screens = await Promise.all(
    friend.numbers.map(async (on) => {
      const { messages } = await network.sandbox<{ messages: (Shown & { sender_phone: string })[] }>(
        'GET',
        `/phones/${on}/messages`,
      );
      return messages.map((message) => ({ ...message, on }));
    }),
  );
  const seen = screens.flat().filter(({ sender_phone }) => sender_phone === `${phone}@s.whatsapp.net`);
  return [...Map.groupBy(seen, ({ message_id }) => message_id).values()].flatMap((copies) => {
    const elsewhere = copies.filter(({ on }) => on !== copies[0]?.on);
    return copies.filter((copy) => !elsewhere.includes(copy));
  });
}

function disorderIn(chat: string, { accepted, phone }: BusyNumber, shown: readonly Shown[]): number {
  const inChat = shown.filter(({ chat_jid, on }) =>
    chat.endsWith('@g.us') ? chat_jid === chat : chat_jid === `${phone}@s.whatsapp.net` && on === chat,
  );
  const seen = [...new Set(inChat.map(({ text }) => text))];
  const sent = accepted.filter((one) => one.chat === chat).map(({ text }) => text);
  const arrived = sent.filter((text) => seen.includes(text));
  return seen.filter((text, index) => text !== arrived[index]).length;
}

async function awaitedBy(network: Gateway, { owner, friend, other }: BusyNumber): Promise<number> {
  const numbers = [owner, friend, other].flatMap((person) => person.numbers);
  const phones = await Promise.all(
    numbers.map((one) => network.sandbox<{ awaited_messages?: number }>('GET', `/phones/${one}`)),
  );
  return phones.reduce((sum, { awaited_messages = 0 }) => sum + awaited_messages, 0);
}

function isEmpty({ length }: readonly unknown[]): boolean {
  return length === 0;
}
