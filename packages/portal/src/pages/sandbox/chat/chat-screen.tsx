import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAction, useResource } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { chatTexts } from '../../../texts/sandbox.ts';
import { Button, ErrorNote, formatDay } from '../../../ui/index.ts';
import type { Chat } from '../chats.ts';
import { Bubble } from './bubble.tsx';
import './chat.css';
import type { Handset, Screen } from '../handset.ts';
import { type Message, performAction, postsOf } from '../network.ts';
import { ScreenHead } from '../screen-head.tsx';
import { Composer, type Draft } from './composer.tsx';

const POSTS_EVERY_MS = 2_000;

export function ChatScreen({
  handset,
  chat,
  reads,
  go,
}: {
  handset: Handset;
  chat: Chat;
  reads: boolean;
  go: (screen: Screen) => void;
}) {
  const draft = useSignal<Draft>({ purpose: 'new' });
  const messages = useMessages(handset, chat);
  useReading(handset, chat, reads);
  return (
    <>
      <ScreenHead
        title={chat.name}
        onBack={() => go({ at: 'chats' })}
        tools={chat.kind === 'person' && <CallButtons handset={handset} jid={chat.jid} />}
      >
        <Typing handset={handset} jid={chat.jid} />
      </ScreenHead>
      <Conversation
        handset={handset}
        chat={chat}
        messages={messages}
        onDraft={(next) => (draft.value = next)}
      />
      {chat.mayWrite ? (
        <Composer
          handset={handset}
          chat={chat}
          draft={draft.value}
          onDone={() => (draft.value = { purpose: 'new' })}
        />
      ) : (
        <p class="chat-closed">{chatTexts.readOnly}</p>
      )}
    </>
  );
}

/** Messages of a chat. Posts come from the channel, which keeps them, not from the phone. */
function useMessages({ number }: Handset, { jid, kind, messages }: Chat): readonly Message[] {
  const posts = useResource(
    async () => (kind === 'channel' ? postsOf(number, jid) : []),
    [number, jid],
    kind === 'channel' ? { everyMs: POSTS_EVERY_MS } : {},
  );
  return kind === 'channel' ? (posts.data ?? []) : messages;
}

/** Sends one read receipt per visible message. */
function useReading({ number, look }: Handset, { unread }: Chat, reads: boolean): void {
  const reported = useRef(new Set<string>());
  useEffect(() => {
    const fresh = unread.map(({ message_id }) => message_id).filter((id) => !reported.current.has(id));
    if (!reads || fresh.length === 0) return;
    for (const id of fresh) reported.current.add(id);
    // A message whose receipt got lost stays unread until the chat is opened again.
    const receipts = fresh.map((message_id) =>
      performAction(number, '/receipts', { message_id, type: 'read' }),
    );
    inBackground(Promise.allSettled(receipts).then(look));
  }, [unread, reads]);
}

function Typing({ handset: { detail, names }, jid }: { handset: Handset; jid: string }) {
  const typing = detail.typing.find(({ chat_jid }) => names.addressOf(chat_jid) === jid);
  return (
    <span class="typing" role="status">
      {typing && (typing.media === 'audio' ? chatTexts.recording : chatTexts.typing)}
    </span>
  );
}

function CallButtons({ handset: { act }, jid }: { handset: Handset; jid: string }) {
  const { run, busy, problem } = useAction((video: boolean) => act('/calls', { to: jid, video }));
  return (
    <>
      {problem.value && <ErrorNote problem={problem.value} />}
      <Button
        look="quiet"
        small
        icon="call"
        label={chatTexts.voiceCall}
        disabled={busy.value}
        onClick={() => inBackground(run(false))}
      />
      <Button
        look="quiet"
        small
        icon="video"
        label={chatTexts.videoCall}
        disabled={busy.value}
        onClick={() => inBackground(run(true))}
      />
    </>
  );
}

function Conversation({
  handset,
  chat,
  messages,
  onDraft,
}: {
  handset: Handset;
  chat: Chat;
  messages: readonly Message[];
  onDraft: (draft: Draft) => void;
}) {
  const opened = useSignal<string | undefined>(undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard
    <div class="conversation" role="log" aria-label={chat.name} tabIndex={0}>
      <div class="conversation-messages">
        {messages.length === 0 && <p class="chat-nothing">{chatTexts.empty}</p>}
        {messages.map((message, index) => (
          <Fragment key={message.message_id}>
            {isNewDay(messages[index - 1], message) && (
              <p class="chat-day">{formatDay(message.timestamp_unix)}</p>
            )}
            <Bubble
              handset={handset}
              chat={chat}
              message={message}
              isOpen={opened.value === message.message_id}
              onToggle={() => {
                opened.value = opened.value === message.message_id ? undefined : message.message_id;
              }}
              onDraft={(draft) => {
                opened.value = undefined;
                onDraft(draft);
              }}
            />
          </Fragment>
        ))}
      </div>
    </div>
  );
}

function isNewDay(before: Message | undefined, { timestamp_unix }: Message): boolean {
  return before === undefined || formatDay(before.timestamp_unix) !== formatDay(timestamp_unix);
}
