import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatPage, KeptMessage, KeptMessagePage, MessageAccepted } from '@parley/contract';
import type { Gateway } from '../../conformance/gateway.ts';
import { linkNumber, newPhone } from '../linked-number.ts';
import { createRenamer, createWriter, type Renamer, type Writer } from './letters.ts';

/** A linked number in a talk with a friend and in a group with the friend and another one, where everybody writes. */
export interface BusyNumber {
  readonly phone: string;
  readonly friend: string;
  /** Where the number writes, by turns: to the friend, and into the group. */
  readonly chats: readonly string[];
  /** What was accepted, in order: the chat, the text and the id that it was given. */
  readonly accepted: readonly Accepted[];
  readonly group: string;
  /** Who writes besides: the friend in both chats, and the owner of the number with the phone. */
  readonly writers: readonly Writer[];
  readonly renamer: Renamer;
  /** All that the number keeps of its conversations. */
  kept(): Promise<readonly KeptMessage[]>;
  /** Both ways at once, as fast as the gateway allows, until told to stop; what was begun is repeated under its key until it is accepted. */
  keepTalking(stop: AbortSignal): Promise<void>;
}

interface Accepted {
  readonly chat: string;
  readonly text: string;
  readonly messageId: string;
}

const TRY_AGAIN_MS = 50;

export async function linkBusyNumber(
  gateway: Gateway,
  network: Gateway,
  urls: { readonly status_url: string; readonly messages_url: string; readonly events_url: string },
): Promise<BusyNumber> {
  const friend = await newPhone(network);
  const other = await newPhone(network);
  const { phone, sessionId, call } = await linkNumber(gateway);
  const extensions = ['own_messages', 'groups'];
  await call('POST', '/webhooks', { session_id: sessionId, ...urls, extensions });
  const session = `/sessions/${encodeURIComponent(sessionId)}`;
  await call('PUT', `${session}/history`, { enabled: true });
  const { jid: group } = await network.sandbox<{ jid: string }>('POST', `/phones/${friend}/groups`, {
    name: 'Chaos',
    participants: [phone, other].map((member) => `${member}@s.whatsapp.net`),
  });

  const chats = [friend, group];
  const accepted: Accepted[] = [];

  async function sendOne(chat: string, text: string): Promise<void> {
    for (;;) {
      // Nobody listens while the gateway is dead.
      const answer = await call<MessageAccepted>(
        'POST',
        '/messages',
        { session_id: sessionId, to: chat, text },
        text,
      ).catch(() => undefined);
      if (answer?.status === 202) {
        accepted.push({ chat, text, messageId: answer.body.message_id ?? '' });
        return;
      }
      await sleep(TRY_AGAIN_MS);
    }
  }

  async function keepSending(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const chat = chats[accepted.length % chats.length] ?? friend;
      await sendOne(chat, `${phone} ${accepted.length + 1}`);
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
    createWriter(network, friend, phone),
    createWriter(network, friend, group),
    createWriter(network, phone, other),
  ];
  const renamer = createRenamer(network, friend, group);
  return {
    phone,
    friend,
    chats,
    accepted,
    group,
    writers,
    renamer,
    async kept() {
      const { body } = await call<ChatPage>('GET', `${session}/chats`);
      return (await Promise.all(body.chats.map(({ jid }) => keptIn(jid)))).flat();
    },
    async keepTalking(stop) {
      const writing = writers.map((writer) => writer.keepWriting(stop));
      await Promise.all([keepSending(stop), renamer.keepRenaming(stop), ...writing]);
    },
  };
}
