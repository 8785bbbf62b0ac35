import { phoneDigits, phoneOf, userJid } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { Problem, useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { words } from '../../texts/common.ts';
import { chatTexts, deviceTexts, sandboxTexts } from '../../texts/sandbox.ts';
import { Actions, Button, Dialog, ErrorNote, formatAgo, formatPhone, TextField } from '../../ui/index.ts';
import { Avatar } from './avatar.tsx';
import { type Chat, previewOf } from './chats.ts';
import type { Handset, Screen } from './handset.ts';
import { ScreenHead } from './screen-head.tsx';

export function ChatListScreen({ handset, go }: { handset: Handset; go: (screen: Screen) => void }) {
  const begins = useSignal(false);
  const { detail, chats } = handset;
  return (
    <>
      <ScreenHead
        title={chatTexts.chats}
        tools={
          <>
            <Button
              look="quiet"
              small
              icon="plus"
              label={chatTexts.newChat}
              onClick={() => (begins.value = true)}
            />
            <Button
              look="quiet"
              small
              icon="qr"
              label={deviceTexts.title}
              onClick={() => go({ at: 'devices' })}
            />
          </>
        }
      >
        <Presence handset={handset} />
      </ScreenHead>
      <ul class="chat-list">
        {chats.map((chat) => (
          <ChatRow
            key={chat.jid}
            chat={chat}
            typing={detail.typing.some(({ chat_jid }) => handset.names.addressOf(chat_jid) === chat.jid)}
            onOpen={() => go({ at: 'chat', jid: chat.jid })}
          />
        ))}
      </ul>
      {begins.value && (
        <NewChatDialog
          onOpen={(jid) => go({ at: 'chat', jid })}
          onClose={() => {
            begins.value = false;
          }}
        />
      )}
    </>
  );
}

/** Switch for the presence that others see. */
function Presence({ handset: { detail, act } }: { handset: Handset }) {
  const { run, busy } = useAction(() => act('/presence', { online: !detail.online }));
  return (
    <button
      type="button"
      role="switch"
      class="presence"
      aria-checked={detail.online}
      aria-label={sandboxTexts.online}
      disabled={busy.value}
      onClick={() => inBackground(run())}
    >
      <span class="presence-knob" aria-hidden="true" />
      {detail.online ? sandboxTexts.online : sandboxTexts.offline}
    </button>
  );
}

function ChatRow({ chat, typing, onOpen }: { chat: Chat; typing: boolean; onOpen: () => void }) {
  const last = chat.messages.at(-1);
  const unread = chat.unread.length;
  return (
    <li>
      <button type="button" class="chat-row" onClick={onOpen}>
        <Avatar name={chat.name} jid={chat.jid} />
        <span class="chat-row-name cut">{chat.name}</span>
        {last && <span class="chat-row-time">{formatAgo(last.timestamp_unix)}</span>}
        <span class="chat-row-last cut">
          {typing ? <em class="typing">{chatTexts.typing}</em> : last ? previewOf(last) : aboutOf(chat)}
        </span>
        {unread > 0 && (
          <span class="chat-row-unread">
            <span aria-hidden="true">{unread}</span>
            <span class="unseen">{chatTexts.unread(unread)}</span>
          </span>
        )}
      </button>
    </li>
  );
}

/** Line of a chat without messages. */
function aboutOf({ kind, jid }: Chat): string {
  return kind === 'person' ? formatPhone(phoneOf(jid) ?? '') : chatTexts.kinds[kind];
}

function NewChatDialog({ onOpen, onClose }: { onOpen: (jid: string) => void; onClose: () => void }) {
  const phone = useSignal('');
  const { run, problem } = useAction(async () => {
    const digits = phoneDigits(phone.value.trim());
    if (digits === null) throw new Problem(400, words.phoneWrong);
    onClose();
    onOpen(userJid(digits));
  });
  return (
    <Dialog title={chatTexts.newChat} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          inBackground(run());
        }}
      >
        <TextField
          label={chatTexts.number}
          type="tel"
          autocomplete="off"
          required
          autofocus
          value={phone.value}
          onInput={(value) => (phone.value = value)}
        />
        {problem.value && <ErrorNote problem={problem.value} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary">
            {chatTexts.open}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
