import type { Gateway } from '../../conformance/gateway.ts';
import { until } from '../linked-number.ts';
import type { BusyNumber } from './number.ts';
import type { Witness } from './witness.ts';

/** What became of the messages of a number; all but the first two should be zero. */
export interface Findings {
  readonly accepted: number;
  readonly letters: number;
  readonly lost: number;
  readonly doubled: number;
  readonly disordered: number;
  readonly untold: number;
  readonly toldTwice: number;
  /** Messages that a phone could not read, asked for again and still waits for. */
  readonly awaited: number;
  /** Letters of the friend and of the owner, and sends themselves, of which nobody was told. */
  readonly unheard: number;
  /** New names of the group, told as often as they were given. */
  readonly renamed: number;
  readonly unnamed: number;
  readonly namedTwice: number;
  /** What the owner did with a chat on the phone, told as often as it was done. */
  readonly muted: number;
  readonly unmuted: number;
  readonly mutedTwice: number;
  /** Messages from before the link, of which no event may tell. */
  readonly pastTold: number;
  /** Messages that the number keeps of its conversations, as they were written and changed. */
  readonly kept: number;
  readonly unkept: number;
  /** Kept twice, in other words, or though nobody has written it; or a chat that is not as its owner has it. */
  readonly miskept: number;
}

export const NOTHING_FOUND: Findings = {
  accepted: 0,
  letters: 0,
  lost: 0,
  doubled: 0,
  disordered: 0,
  untold: 0,
  toldTwice: 0,
  awaited: 0,
  unheard: 0,
  renamed: 0,
  unnamed: 0,
  namedTwice: 0,
  muted: 0,
  unmuted: 0,
  mutedTwice: 0,
  pastTold: 0,
  kept: 0,
  unkept: 0,
  miskept: 0,
};

export function add(some: Findings, more: Findings): Findings {
  const keys = Object.keys(some) as (keyof Findings)[];
  return Object.fromEntries(keys.map((key) => [key, some[key] + more[key]])) as unknown as Findings;
}

export function isClean({ accepted, letters, renamed, muted, kept, ...faults }: Findings): boolean {
  const all = [accepted, letters, renamed, muted, kept];
  return all.every((count) => count > 0) && Object.values(faults).every((count) => count === 0);
}

export function tell(after: string, found: Findings): string {
  return (
    `${after}: ${found.accepted} accepted, ${found.lost} lost, ${found.doubled} doubled, ${found.disordered} out of order, ` +
    `${found.untold} without a status event, ${found.toldTwice} with two, ${found.awaited} asked for again in vain; ` +
    `${found.letters} letters, ${found.unheard} unheard; ${found.renamed} new names, ${found.unnamed} untold, ${found.namedTwice} told twice; ` +
    `${found.muted} chats muted, ${found.unmuted} untold, ${found.mutedTwice} told twice; ${found.pastTold} of the past told; ` +
    `${found.kept} kept, ${found.unkept} not kept, ${found.miskept} kept wrongly`
  );
}

/** A process that dies with a delivery under way costs it half a minute, another one five. A busy machine makes it slow, not red. */
const THIRD_ATTEMPT_MS = 7 * 60_000;

export async function examine(network: Gateway, number: BusyNumber, witness: Witness): Promise<Findings> {
  const ids = number.accepted.map(({ messageId }) => messageId);
  const letters = number.writers.flatMap(({ written }) => written);
  const untold = (): string[] => ids.filter((id) => witness.tellingsOf(id).size === 0);
  const unheard = (): string[] => [...letters, ...ids].filter((id) => !witness.hasHeardOf(id));
  const { group, renamer } = number;
  const renamings = (): number[] => renamer.names.map((name) => witness.renamingsOf(group, name).size);
  const unnamed = (): number[] => renamings().filter((count) => count === 0);
  const { sessionId, muter, past } = number;
  const mutings = (): number[] => muter.ends.map((end) => witness.mutingsOf(sessionId, end).size);
  const unmuted = (): number[] => mutings().filter((count) => count === 0);
  const missing = async (): Promise<string[]> => {
    const shown = await shownTo(network, number);
    return number.accepted.flatMap(({ text }) => (shown.some((seen) => seen.text === text) ? [] : [text]));
  };
  // Whatever has not come by then is counted below.
  await until('the last status event', untold, isEmpty, THIRD_ATTEMPT_MS).catch(() => {});
  await until('the last message', missing, isEmpty, LAST_MESSAGE_MS).catch(() => {});
  await until('the last letter', unheard, isEmpty, THIRD_ATTEMPT_MS).catch(() => {});
  await until('the last new name', unnamed, isEmpty, THIRD_ATTEMPT_MS).catch(() => {});
  await until('the last muted chat', unmuted, isEmpty, THIRD_ATTEMPT_MS).catch(() => {});

  const shown = await shownTo(network, number);
  const texts = shown.map(({ text }) => text);
  return {
    accepted: ids.length,
    letters: letters.length,
    lost: (await missing()).length,
    doubled: texts.length - new Set(texts).size,
    disordered: number.chats.reduce((sum, chat) => sum + disorderIn(chat, number, shown), 0),
    untold: untold().length,
    toldTwice: ids.filter((id) => witness.tellingsOf(id).size > 1).length,
    awaited: await awaitedBy(network, number),
    unheard: unheard().length,
    renamed: renamer.names.length,
    unnamed: unnamed().length,
    namedTwice: renamings().filter((count) => count > 1).length,
    muted: muter.ends.length,
    unmuted: unmuted().length,
    mutedTwice: mutings().filter((count) => count > 1).length,
    pastTold: [...past.keys()].filter((id) => witness.hasHeardOf(id)).length,
    ...(await examineKept(number)),
  };
}

/** What is kept is written with its event: once everything is told, it is all there. */
async function examineKept(number: BusyNumber): Promise<Pick<Findings, 'kept' | 'unkept' | 'miskept'>> {
  const expected = new Map([...number.past, ...number.writers.flatMap(({ letters }) => [...letters])]);
  for (const { messageId, text } of number.accepted) expected.set(messageId, text);
  // The past comes beside all that, in its own time.
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

/** After the status event, which tells that the network has it, a phone may still ask for a message again. */
const LAST_MESSAGE_MS = 60_000;

interface Shown {
  readonly text: string;
  readonly chat_jid: string;
}

/** What the friend's phone shows of the number's messages. */
async function shownTo(network: Gateway, { phone, friend }: BusyNumber): Promise<Shown[]> {
  const { messages } = await network.sandbox<{ messages: (Shown & { sender_phone: string })[] }>(
    'GET',
    `/phones/${friend}/messages`,
  );
  return messages.filter(({ sender_phone }) => sender_phone === `${phone}@s.whatsapp.net`);
}

function disorderIn(chat: string, { accepted, phone }: BusyNumber, shown: readonly Shown[]): number {
  const place = chat.endsWith('@g.us') ? chat : `${phone}@s.whatsapp.net`;
  const seen = [...new Set(shown.filter(({ chat_jid }) => chat_jid === place).map(({ text }) => text))];
  const sent = accepted.filter((one) => one.chat === chat).map(({ text }) => text);
  const arrived = sent.filter((text) => seen.includes(text));
  return seen.filter((text, index) => text !== arrived[index]).length;
}

async function awaitedBy(network: Gateway, { phone, friend }: BusyNumber): Promise<number> {
  const phones = await Promise.all(
    [phone, friend].map((one) => network.sandbox<{ awaited_messages?: number }>('GET', `/phones/${one}`)),
  );
  return phones.reduce((sum, { awaited_messages = 0 }) => sum + awaited_messages, 0);
}

function isEmpty({ length }: readonly unknown[]): boolean {
  return length === 0;
}
