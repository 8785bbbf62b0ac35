import { useAction } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { messageStates } from '../../../texts/labels.ts';
import { chatTexts } from '../../../texts/sandbox.ts';
import { Button, ErrorNote, formatClock, Icon } from '../../../ui/index.ts';
import { type Chat, progressOf, WAITING } from '../chats.ts';
import type { Handset } from '../handset.ts';
import type { Message } from '../network.ts';
import { BubbleContent } from './bubble-content.tsx';
import type { Draft } from './composer.tsx';

const EMOJIS = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

interface BubbleProps {
  handset: Handset;
  chat: Chat;
  message: Message;
  /** Whether its actions are visible. */
  isOpen: boolean;
  onToggle: () => void;
  onDraft: (draft: Draft) => void;
}

export function Bubble(props: BubbleProps) {
  const { handset, chat, message, isOpen, onToggle } = props;
  const { from_me, revoked, disappearing_seconds, sender_jid, is_group } = message;
  if (disappearing_seconds !== undefined) {
    return <p class="chat-day">{chatTexts.disappearing(disappearing_seconds)}</p>;
  }
  const notice = revoked ? chatTexts.deleted : message.type === WAITING ? chatTexts.waiting : undefined;
  const mayAct = notice === undefined && chat.kind !== 'channel';
  return (
    <article class={from_me ? 'bubble-row bubble-row-mine' : 'bubble-row'}>
      <div class={from_me ? 'bubble bubble-mine' : 'bubble'}>
        {!from_me && (is_group || chat.kind === 'stories') && (
          <p class="bubble-sender">{handset.names.nameOf(sender_jid)}</p>
        )}
        {message.forwarded && <p class="bubble-mark">{chatTexts.forwarded}</p>}
        {message.quoted_message_id !== undefined && (
          <blockquote class="bubble-quote">{message.quoted_text || '…'}</blockquote>
        )}
        {notice ? (
          <p class="bubble-deleted">{notice}</p>
        ) : (
          <BubbleContent handset={handset} message={message} />
        )}
        <footer class="bubble-foot">
          {mayAct && (
            <button
              type="button"
              class="bubble-more"
              aria-expanded={isOpen}
              aria-label={chatTexts.more}
              onClick={onToggle}
            >
              <Icon name="dots" size={16} />
            </button>
          )}
          <WhenAndHowFar message={message} />
        </footer>
      </div>
      <Reactions message={message} />
      {isOpen && mayAct && <BubbleActions {...props} />}
    </article>
  );
}

function WhenAndHowFar({ message }: { message: Message }) {
  const progress = message.from_me && !message.revoked ? progressOf(message) : undefined;
  return (
    <>
      {message.edited && `${chatTexts.edited} · `}
      {formatClock(message.timestamp_unix).slice(0, 5)}
      {progress && (
        <span class={`bubble-progress bubble-${progress}`} role="img" aria-label={messageStates[progress]}>
          <Icon name={progress === 'sent' ? 'check' : 'checks'} size={15} />
        </span>
      )}
    </>
  );
}

function Reactions({ message: { reactions } }: { message: Message }) {
  const shown = reactions.filter(({ emoji }) => emoji !== '');
  if (shown.length === 0) return null;
  return (
    <p class="bubble-reactions">
      {shown.map(({ jid, emoji, count }) => (
        <span key={jid ?? emoji}>
          {emoji}
          {count !== undefined && count > 1 && ` ${count}`}
        </span>
      ))}
    </p>
  );
}

function BubbleActions({ handset, chat, message, onToggle, onDraft }: BubbleProps) {
  const { detail, names, act } = handset;
  const { message_id, from_me, sender_jid, reactions } = message;
  const mine = reactions.find(({ jid }) => jid && names.addressOf(jid) === detail.jid)?.emoji;
  const whose = from_me ? { from_me: true } : { participant: names.addressOf(sender_jid) };
  const { run, busy, problem } = useAction(async (body: object) => {
    await act('/messages', { to: chat.jid, ...body });
    onToggle();
  });
  const react = (emoji: string): void =>
    inBackground(
      run({ type: 'reaction', reacted_message_id: message_id, emoji, ...withPrefix('reacted_', whose) }),
    );
  return (
    <div class="bubble-actions">
      <div class="bubble-emojis">
        {EMOJIS.map((emoji) => (
          <button
            key={emoji}
            type="button"
            disabled={busy.value}
            aria-pressed={mine === emoji}
            aria-label={mine === emoji ? chatTexts.takeBack : chatTexts.reactWith(emoji)}
            onClick={() => react(mine === emoji ? '' : emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
      <div class="row">
        <Button small icon="reply" onClick={() => onDraft({ purpose: 'reply', message })}>
          {chatTexts.reply}
        </Button>
        {from_me && message.type === 'text' && (
          <Button small icon="pencil" onClick={() => onDraft({ purpose: 'edit', message })}>
            {chatTexts.edit}
          </Button>
        )}
        {from_me && (
          <Button
            small
            look="danger"
            icon="trash"
            busy={busy.value}
            onClick={() =>
              inBackground(
                run({ type: 'revoke', revoked_message_id: message_id, ...withPrefix('revoked_', whose) }),
              )
            }
          >
            {chatTexts.remove}
          </Button>
        )}
      </div>
      {problem.value && <ErrorNote problem={problem.value} />}
    </div>
  );
}

/** Prefixes the fields that identify a message with the name of the action. */
function withPrefix(prefix: string, fields: object): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [prefix + name, value]));
}
