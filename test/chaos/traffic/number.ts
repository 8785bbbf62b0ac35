import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatPage, EventPage, KeptMessage, KeptMessagePage, MessageAccepted } from '@parley/contract';
import { createSystemClock } from '@parley/gateway/kernel';
import type { Gateway } from '../../conformance/gateway.ts';
import { linkNumber } from '../linked-number.ts';
import { newPerson, type Person, personWith } from './person.ts';
import {
  createMuter,
  createRenamer,
  createWriter,
  type Muter,
  type Renamer,
  type Writer,
  writePast,
} from './writers.ts';

/** A linked number in a chat with a friend and in a group with the friend and another person, where all write. */
export interface BusyNumber {
  readonly phone: string;
  readonly sessionId: string;
  /** Writes with the number in a chat and in the group. */
  readonly friend: Person;
  /** The person at the other end of the owner's own chat, and in the group. */
  readonly other: Person;
  readonly owner: Person;
  /** Accepted messages in order: the chat, the text and the id. */
  readonly accepted: readonly Accepted[];
  readonly group: string;
  /** Other writers: the friend in both chats, and the owner of the number by phone. */
  readonly writers: readonly Writer[];
  readonly renamer: Renamer;
  readonly muter: Muter;
  /** Messages of the friend from before the link, by id. */
  readonly past: ReadonlyMap<string, string>;
  /** End of the chat's mute in the stored history. */
  mutedUntil(): Promise<number | undefined>;
  /** The whole stored history of the number. */
  kept(): Promise<readonly KeptMessage[]>;
  /**
   * Writes both ways at once, as fast as the gateway allows or with a pause between sends, until stopped; a send is repeated
   * under its key until it is accepted.
   */
  keepTalking(stop: AbortSignal, pauseMs?: number): Promise<void>;
}

export interface Accepted {
  readonly chat: string;
  readonly text: string;
  readonly messageId: string;
  /** From the first attempt to the acceptance. */
  readonly ms: number;
}

const TRY_AGAIN_MS = 50;
const clock = createSystemClock();

export async function linkBusyNumber(
  gateway: Gateway,
  network: Gateway,
  urls: { readonly status_url: string; readonly messages_url: string; readonly events_url: string },
  /** Settings of all its phones. */
  settings: object = {},
): Promise<BusyNumber> {
  const friend = await newPerson(network, settings);
  const other = await newPerson(network, settings);
  let past = new Map<string, string>();
  const prepare = async (registered: string, slotId: string): Promise<void> => {
    past = await writePast(network, friend.number, registered);
    await gateway.operator('PUT', `/devices/${slotId}/history`, { enabled: true });
  };
  const { phone, sessionId, call } = await linkNumber(gateway, prepare, settings);
  const owner = personWith(network, phone);
  const extensions = ['own_messages', 'groups', 'chats'];
  await call('POST', '/webhooks', { session_id: sessionId, ...urls, extensions });
  const session = `/sessions/${encodeURIComponent(sessionId)}`;
  const { jid: group } = await network.sandbox<{ jid: string }>('POST', `/phones/${friend.number}/groups`, {
    name: 'Chaos',
    participants: [phone, other.number].map((member) => `${member}@s.whatsapp.net`),
  });

  const accepted: Accepted[] = [];

  async function sendOne(chat: string, text: string): Promise<void> {
    const begun = clock.monotonic();
    for (;;) {
      // The gateway may be down.
      const answer = await call<MessageAccepted>(
        'POST',
        '/messages',
        { session_id: sessionId, to: chat, text },
        text,
      ).catch(() => undefined);
      if (answer?.status === 202) {
        const ms = clock.monotonic() - begun;
        accepted.push({ chat, text, messageId: answer.body.message_id ?? '', ms });
        return;
      }
      await sleep(TRY_AGAIN_MS);
    }
  }

  async function keepSending(stop: AbortSignal, pauseMs: number): Promise<void> {
    while (!stop.aborted) {
      const chat = accepted.length % 2 === 0 ? friend.number : group;
      await sendOne(chat, `${phone} ${accepted.length + 1}`);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  async function keptIn(chat: string): Promise<KeptMessage[]> {
    const messages: KeptMessage[] = [];
    for (let before = ''; ; ) {
      const path = `${session}/chats/${encodeURIComponent(chat)}/messages?limit=100${before}`;
      const { body } = await call<KeptMessagePage>('GET', path);
      messages.push(...body.messages);
      if (body.next_cursor === null) return messages;
      before = `&before=${body.next_cursor}`;
    }
  }

  const writers = [
    createWriter(network, friend, () => phone),
    createWriter(network, friend, () => group),
    createWriter(network, owner, () => other.number),
  ];
  const renamer = createRenamer(network, friend, group);
  const muter = createMuter(network, phone, other.number);
  await muter.begin(async () => {
    const { body } = await call<EventPage>('GET', `/events?kind=chat&extensions=chats&limit=1`);
    return body.events.length > 0;
  });
  const chatsKept = async () => (await call<ChatPage>('GET', `${session}/chats`)).body.chats;
  return {
    phone,
    sessionId,
    friend,
    other,
    owner,
    accepted,
    group,
    writers,
    renamer,
    muter,
    past,
    mutedUntil: async () => (await chatsKept()).find(({ muted }) => muted)?.muted_until_unix,
    async kept() {
      return (await Promise.all((await chatsKept()).map(({ jid }) => keptIn(jid)))).flat();
    },
    async keepTalking(stop, pauseMs = 0) {
      const writing = writers.map((writer) => writer.keepWriting(stop));
      await Promise.all([
        keepSending(stop, pauseMs),
        renamer.keepRenaming(stop),
        muter.keepMuting(stop),
        ...writing,
      ]);
    },
  };
}
