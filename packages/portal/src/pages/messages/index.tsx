import { MESSAGES_PAGE_MAX, type MessageDirection, type MessageEntry } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useLive, usePages, useResource, wholeList } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { type Filters, useFilters } from '../../kernel/filters.ts';
import { nav } from '../../texts/common.ts';
import { personOf } from '../../texts/events.ts';
import { messagesTexts } from '../../texts/messages.ts';
import {
  Button,
  Card,
  type Column,
  Empty,
  ErrorNote,
  formatPhone,
  LinkButton,
  Note,
  PageHead,
  Skeleton,
  Table,
  When,
} from '../../ui/index.ts';
import '../webhooks/webhooks.css';
import { directionOf, FilterFields, type MessageFilters, NO_FILTERS, queryOf } from './filters.tsx';
import { StateBadge } from './state-badge.tsx';
import './messages.css';

const keyOf = ({ cursor }: MessageEntry): string => cursor;

/** Parts that a search reads for one page before it stops with a note. */
const PARTS_MAX = 100;

/** Sent or received messages, newest first. */
export default function MessagesPage() {
  const filters = useFilters<MessageFilters>(NO_FILTERS);
  const numbers = useResource(() => wholeList((page) => call('listNumbers', { query: page })), []);
  const direction = directionOf(filters.value);
  const isCut = useSignal(false);
  const query = queryOf(filters.value);
  const log = usePages<MessageEntry>(
    {
      async load(last) {
        const found: MessageEntry[] = [];
        let before = last?.cursor;
        isCut.value = false;
        for (let parts = 0; found.length < MESSAGES_PAGE_MAX; parts++) {
          isCut.value = parts === PARTS_MAX;
          if (isCut.value) break;
          const limit = MESSAGES_PAGE_MAX - found.length;
          const page = await call('searchMessages', {
            query: { ...query, ...(before && { before }), limit },
          });
          found.push(...page.messages);
          if (page.next === null) break;
          before = page.next;
        }
        return found;
      },
      keyOf,
      pageSize: MESSAGES_PAGE_MAX,
    },
    [JSON.stringify(query)],
  );
  const look = (): void => {
    // A reload would lose the scroll position in older pages.
    if ((log.items?.length ?? 0) <= MESSAGES_PAGE_MAX) inBackground(log.reload());
  };
  const relevant: readonly string[] = direction === 'out' ? ['status', 'receipt'] : ['message'];
  useLive(({ kind }) => {
    if (relevant.includes(kind)) look();
  }, look);
  return (
    <>
      <PageHead title={nav.messages} lead={messagesTexts.lead} />
      <Card flush>
        <FilterFields filters={filters} numbers={numbers.data?.numbers ?? []} />
        {log.problem && <ErrorNote problem={log.problem} retry={() => inBackground(log.reload())} />}
        {!log.items && !log.problem && <Skeleton />}
        {log.items?.length === 0 && <Nothing direction={direction} filters={filters} />}
        {log.items && log.items.length > 0 && (
          <Table
            label={messagesTexts.table[direction]}
            columns={COLUMNS[direction]}
            rows={log.items}
            keyOf={keyOf}
            hrefOf={hrefOf}
            onEnd={() => inBackground(log.more())}
          />
        )}
        {isCut.value && <Note icon="info">{messagesTexts.cut}</Note>}
      </Card>
      <p class="quiet small">{messagesTexts.kept[direction]}</p>
    </>
  );
}

/** Sent messages have their own page; received ones link to their event. */
function hrefOf({ message_id, cursor, status }: MessageEntry): string {
  return status === null
    ? `/portal/activity/${cursor}`
    : `/portal/messages/${encodeURIComponent(message_id)}`;
}

function columnsOf(direction: MessageDirection): readonly Column<MessageEntry>[] {
  const status: Column<MessageEntry> = {
    title: messagesTexts.status,
    cell: (message) => message.status && <StateBadge state={message.status} />,
    share: 1.1,
  };
  return [
    {
      title: messagesTexts.with[direction],
      cell: (message) => (message.with === '' ? messagesTexts.everybody : personOf(message.with)),
      share: 1.8,
    },
    ...(direction === 'out' ? [status] : []),
    { title: messagesTexts.type, cell: ({ type }) => type, secondary: true },
    {
      title: messagesTexts.number,
      cell: ({ phone }) => formatPhone(phone),
      share: 1.5,
      secondary: true,
    },
    {
      title: messagesTexts.id,
      cell: ({ message_id }) => <code title={message_id}>{message_id}</code>,
      share: 1.9,
      secondary: true,
    },
    {
      title: messagesTexts.when[direction],
      cell: ({ at_unix }) => <When at={at_unix} />,
      share: 1.2,
      atEnd: true,
    },
  ];
}

const COLUMNS: Readonly<Record<MessageDirection, readonly Column<MessageEntry>[]>> = {
  out: columnsOf('out'),
  in: columnsOf('in'),
};

function Nothing({
  direction,
  filters: { value, change, areDefault },
}: {
  direction: MessageDirection;
  filters: Filters<MessageFilters>;
}) {
  const isNarrowed = !areDefault && JSON.stringify(value) !== JSON.stringify({ ...NO_FILTERS, direction });
  if (isNarrowed) {
    const clear = <Button onClick={() => change({ ...NO_FILTERS, direction })}>{messagesTexts.clear}</Button>;
    return (
      <Empty icon="search" title={messagesTexts.emptyTitle} action={clear}>
        {messagesTexts.emptyFiltered}
      </Empty>
    );
  }
  const toSend = (
    <>
      <LinkButton look="primary" icon="send" href="/portal/test-send">
        {messagesTexts.trySend}
      </LinkButton>
      <LinkButton href="/docs/guides/messages" target="_blank">
        {messagesTexts.howToSend}
      </LinkButton>
    </>
  );
  return (
    <Empty icon="inbox" title={messagesTexts.emptyTitle} action={direction === 'out' && toSend}>
      {messagesTexts.empty[direction]}
    </Empty>
  );
}
