import { type KeptMessage, MESSAGES_PAGE_DEFAULT } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call, useLive, usePages } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { chatTexts } from '../../texts/chats.ts';
import { personOf } from '../../texts/events.ts';
import { Button, ConfirmDialog, ErrorNote, Icon, Skeleton, toast } from '../../ui/index.ts';
import { Message } from './message.tsx';

const keyOf = ({ cursor }: KeptMessage): string => cursor;

export function ConversationView({
  phone,
  jid,
  onForgotten,
}: {
  phone: string;
  jid: string;
  onForgotten: () => void;
}) {
  const { route } = useLocation();
  const asks = useSignal(false);
  const list = `/portal/numbers/${phone}/chats`;
  const pages = usePages<KeptMessage>(
    {
      load: async (last) => {
        const query = { limit: MESSAGES_PAGE_DEFAULT, ...(last && { before: last.cursor }) };
        return (await call('listNumberChatMessages', { params: { phone, jid }, query })).messages;
      },
      keyOf,
      pageSize: MESSAGES_PAGE_DEFAULT,
    },
    [phone, jid],
  );
  useLive((event) => {
    // Keeps the scroll position while older messages are read.
    if (event.phone === phone && (pages.items?.length ?? 0) <= MESSAGES_PAGE_DEFAULT)
      inBackground(pages.reload());
  });
  const { items, problem } = pages;
  return (
    <section class="chats-conversation" aria-label={personOf(jid)}>
      <header class="chats-head">
        <div>
          <a class="page-back chats-back" href={list}>
            <Icon name="back" size={16} />
            {chatTexts.back}
          </a>
          <h2>{personOf(jid)}</h2>
        </div>
        <Button look="danger" small icon="trash" onClick={() => (asks.value = true)}>
          {chatTexts.forget}
        </Button>
      </header>
      {problem && <ErrorNote problem={problem} retry={() => inBackground(pages.reload())} />}
      {!items && !problem && <Skeleton />}
      {items?.length === 0 && <p class="quiet">{chatTexts.empty}</p>}
      {items && items.length > 0 && (
        // The newest message is first in the document, so that the browser keeps it in view, and last on screen.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard
        <ol class="chats-messages" aria-label={chatTexts.messages} tabIndex={0}>
          {items.map((message) => (
            <Message key={message.cursor} message={message} />
          ))}
          {!pages.isWhole && (
            <li class="chats-older">
              <Button small onClick={() => inBackground(pages.more())}>
                {chatTexts.older}
              </Button>
            </li>
          )}
        </ol>
      )}
      {asks.value && (
        <ConfirmDialog
          title={chatTexts.forgetTitle}
          text={chatTexts.forgetText}
          confirm={chatTexts.forget}
          onConfirm={async () => {
            await call('forgetNumberChat', { params: { phone, jid } });
            toast(chatTexts.forgotten);
            onForgotten();
            route(list);
          }}
          onClose={() => (asks.value = false)}
        />
      )}
    </section>
  );
}
