import { useRoute } from 'preact-iso';
import { call, useLive, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { chatTexts } from '../../texts/chats.ts';
import { Empty, formatPhone, LinkButton, Loaded, PageHead } from '../../ui/index.ts';
import { ChatList } from './chat-list.tsx';
import './chats.css';
import { ConversationView } from './conversation.tsx';

/** Kept conversations of a number: the list beside the open chat, or one of them on a narrow screen. */
export default function ChatsPage() {
  const { phone = '', jid } = useRoute().params;
  const history = useResource(() => call('getNumberHistory', { params: { phone } }), [phone]);
  return (
    <>
      <PageHead
        title={chatTexts.title}
        back={{ href: `/portal/numbers/${phone}`, label: formatPhone(phone) }}
        lead={history.data?.days !== undefined && chatTexts.lead(history.data.days)}
      />
      <Loaded resource={history}>
        {({ enabled }) => (enabled ? <Chats phone={phone} jid={jid} /> : <Off phone={phone} />)}
      </Loaded>
    </>
  );
}

function Off({ phone }: { phone: string }) {
  return (
    <Empty
      icon="inbox"
      title={chatTexts.offTitle}
      action={<LinkButton href={`/portal/numbers/${phone}`}>{chatTexts.toNumber}</LinkButton>}
    >
      {chatTexts.offText}
    </Empty>
  );
}

function Chats({ phone, jid }: { phone: string; jid: string | undefined }) {
  const chats = useResource(
    () => call('listNumberChats', { params: { phone }, query: { limit: 100 } }),
    [phone],
  );
  useLive((event) => {
    if (event.phone === phone && event.kind === 'message') inBackground(chats.reload());
  });
  return (
    <Loaded resource={chats}>
      {({ chats: list }) =>
        list.length === 0 ? (
          <Empty icon="inbox" title={chatTexts.none}>
            {chatTexts.noneText}
          </Empty>
        ) : (
          <div class={jid === undefined ? 'chats' : 'chats chats-open'}>
            <ChatList phone={phone} chats={list} openJid={jid} />
            {jid === undefined ? (
              <div class="chats-conversation chats-choose">
                <Empty icon="inbox" title={chatTexts.choose}>
                  {chatTexts.chooseText}
                </Empty>
              </div>
            ) : (
              <ConversationView
                key={jid}
                phone={phone}
                jid={jid}
                onForgotten={() => inBackground(chats.reload())}
              />
            )}
          </div>
        )
      }
    </Loaded>
  );
}
