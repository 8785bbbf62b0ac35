import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Problem, unlessProblem, useAction } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { now } from '../../../kernel/clock.ts';
import { words } from '../../../texts/common.ts';
import { chatTexts } from '../../../texts/sandbox.ts';
import { Button, ErrorNote } from '../../../ui/index.ts';
import { type Chat, previewOf } from '../chats.ts';
import type { Handset } from '../handset.ts';
import { type Message, performAction } from '../network.ts';
import { PollDialog } from './poll-dialog.tsx';

/** Requests are limited to 1 MB, and base64 enlarges files by a third. */
const FILE_MAX_BYTES = 700 * 1024;

const KINDS = ['image', 'video', 'audio'];

/** Message being written: new, a reply or an edit. */
export type Draft = { purpose: 'new' } | { purpose: 'reply' | 'edit'; message: Message };

/** Interval of typing notifications. */
const TYPING_EVERY_MS = 5_000;

export function Composer({
  handset,
  chat,
  draft,
  onDone,
}: {
  handset: Handset;
  chat: Chat;
  draft: Draft;
  onDone: () => void;
}) {
  const text = useSignal('');
  const asks = useSignal(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const announceTyping = useTyping(handset, chat);
  const { run, busy, problem } = useAction(async (body: object) => {
    await handset.act(chat.kind === 'channel' ? `/channels/${chat.jid}/messages` : '/messages', body);
    text.value = '';
    onDone();
  });
  useEffect(() => {
    if (draft.purpose === 'new') return;
    if (draft.purpose === 'edit') text.value = draft.message.text;
    box.current?.focus();
  }, [draft]);

  const write = (): void => {
    if (text.value.trim() !== '') inBackground(run(bodyOf(chat, draft, text.value, handset)));
  };
  async function sendFile(chosen: File | undefined): Promise<void> {
    if (!chosen) return;
    if (chosen.size > FILE_MAX_BYTES) problem.value = new Problem(400, chatTexts.fileTooLarge);
    else await run({ ...addressOf(chat), ...(await readFile(chosen)) });
  }
  const label = chat.kind === 'stories' ? chatTexts.writeStory : chatTexts.write;
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        write();
      }}
    >
      {problem.value && <ErrorNote problem={problem.value} />}
      {draft.purpose !== 'new' && <DraftNote draft={draft} onCancel={onDone} />}
      <div class="composer-line">
        {chat.kind !== 'stories' && chat.kind !== 'channel' && (
          <>
            <Button
              look="quiet"
              small
              icon="attach"
              label={chatTexts.attach}
              onClick={() => file.current?.click()}
            />
            <input
              ref={file}
              type="file"
              hidden
              onChange={({ currentTarget }) => {
                inBackground(sendFile(currentTarget.files?.[0]));
                currentTarget.value = '';
              }}
            />
            <Button
              look="quiet"
              small
              icon="poll"
              label={chatTexts.poll}
              onClick={() => (asks.value = true)}
            />
          </>
        )}
        <textarea
          ref={box}
          class="composer-text"
          rows={1}
          aria-label={label}
          placeholder={label}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
            announceTyping();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            write();
          }}
        />
        <Button type="submit" look="primary" small icon="send" label={chatTexts.send} busy={busy.value} />
      </div>
      {asks.value && (
        <PollDialog
          onSend={(poll) => handset.act('/messages', { to: chat.jid, ...poll })}
          onClose={() => (asks.value = false)}
        />
      )}
    </form>
  );
}

function DraftNote({ draft, onCancel }: { draft: Exclude<Draft, { purpose: 'new' }>; onCancel: () => void }) {
  return (
    <div class="composer-draft">
      <p class="cut">
        <strong>{draft.purpose === 'edit' ? chatTexts.editing : chatTexts.replyingTo}</strong>{' '}
        {previewOf(draft.message)}
      </p>
      <Button look="quiet" small icon="cross" label={words.cancel} onClick={onCancel} />
    </div>
  );
}

const addressOf = (chat: Chat): object => (chat.kind === 'channel' ? {} : { to: chat.jid });

function bodyOf(chat: Chat, draft: Draft, text: string, { names, detail }: Handset): object {
  if (chat.kind === 'stories') return { type: 'status', status_type: 'text', text };
  if (draft.purpose === 'new') return { ...addressOf(chat), text };
  const { message_id, sender_jid, from_me } = draft.message;
  if (draft.purpose === 'edit') return { to: chat.jid, type: 'edit', edit_message_id: message_id, text };
  return {
    to: chat.jid,
    text,
    quoted_message_id: message_id,
    quoted_participant: from_me ? detail.jid : names.addressOf(sender_jid),
    quoted_text: previewOf(draft.message),
  };
}

/** Sends typing notifications at intervals; they expire at the receiver. */
function useTyping({ number }: Handset, { jid, kind }: Chat): () => void {
  const announcedAt = useRef(0);
  return () => {
    if (kind === 'stories' || kind === 'channel' || now() - announcedAt.current < TYPING_EVERY_MS) return;
    announcedAt.current = now();
    inBackground(performAction(number, '/typing', { to: jid, typing: true }).catch(unlessProblem));
  };
}

/** Reads a file into the form in which a phone sends it. */
async function readFile(file: File): Promise<object> {
  const mimetype = file.type || 'application/octet-stream';
  const media_type = KINDS.find((kind) => mimetype.startsWith(`${kind}/`)) ?? 'document';
  const media_base64 = base64Of(new Uint8Array(await file.arrayBuffer()));
  return { media_type, media_base64, mimetype, ...(media_type === 'document' && { file_name: file.name }) };
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
