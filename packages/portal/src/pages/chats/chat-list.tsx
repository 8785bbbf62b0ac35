import type { Chat } from '@parley/contract';
import { chatTexts } from '../../texts/chats.ts';
import { personOf } from '../../texts/events.ts';
import { Badge, formatMoment } from '../../ui/index.ts';
import { summarizeMessage } from './message-summary.ts';

export function ChatList({
  phone,
  chats,
  openJid,
}: {
  phone: string;
  chats: readonly Chat[];
  openJid: string | undefined;
}) {
  return (
    <nav class="chats-list" aria-label={chatTexts.list}>
      <ul>
        {chats.map(({ jid, is_group, unread, last_at_unix, last_message }) => (
          <li key={jid}>
            <a
              class="chats-entry"
              href={`/portal/numbers/${phone}/chats/${encodeURIComponent(jid)}`}
              aria-current={jid === openJid ? 'page' : undefined}
            >
              <span class="row row-apart">
                <strong class="chats-name">{is_group ? chatTexts.group : personOf(jid)}</strong>
                {last_at_unix !== undefined && (
                  <span class="quiet small figures">{formatMoment(last_at_unix)}</span>
                )}
              </span>
              <span class="row row-apart">
                <span class="quiet small chats-last">
                  {last_message ? summarizeMessage(last_message) : ''}
                </span>
                {unread > 0 && <Badge tone="info">{chatTexts.unread(unread)}</Badge>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
