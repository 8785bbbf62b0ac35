import { MESSAGES_PAGE_MAX, type MessageRecord, type MessageState } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useLive, usePages } from '../../api/index.ts';
import { activityTexts } from '../../texts/activity.ts';
import { words } from '../../texts/common.ts';
import { personOf } from '../../texts/events.ts';
import { choicesOf, failureReasons, messageStates } from '../../texts/labels.ts';
import {
  Actions,
  Badge,
  Button,
  type Column,
  Dialog,
  Empty,
  ErrorNote,
  Fact,
  Facts,
  formatMoment,
  formatTime,
  LinkButton,
  Note,
  SelectField,
  Skeleton,
  Table,
  type Tone,
} from '../../ui/index.ts';

const TONES: Readonly<Record<MessageState, Tone>> = {
  accepted: 'waiting',
  sent: 'info',
  delivered: 'good',
  read: 'good',
  played: 'good',
  failed: 'bad',
};

const keyOf = ({ message_id }: MessageRecord): string => message_id;

type StateFilter = MessageState | 'all';
const STATES: readonly { value: StateFilter; label: string }[] = [
  { value: 'all', label: activityTexts.allStates },
  ...choicesOf(messageStates),
];

const COLUMNS: readonly Column<MessageRecord>[] = [
  { title: activityTexts.to, cell: ({ to }) => targetOf(to), share: 2 },
  { title: activityTexts.type, cell: ({ type }) => type, secondary: true },
  { title: activityTexts.status, cell: ({ status }) => <StateBadge state={status} />, share: 1.2 },
  {
    title: activityTexts.request,
    cell: ({ request_id }) => <code>{request_id}</code>,
    share: 2,
    secondary: true,
  },
  {
    title: activityTexts.accepted,
    cell: ({ accepted_at_unix }) => (
      <span class="figures" title={formatTime(accepted_at_unix)}>
        {formatMoment(accepted_at_unix)}
      </span>
    ),
    share: 1.2,
    atEnd: true,
  },
];

/** What one number has sent, newest first, and how far each came. */
export function MessageLog({ phone }: { phone: string }) {
  const state = useSignal<StateFilter>('all');
  const opened = useSignal<MessageRecord | undefined>(undefined);
  const log = usePages<MessageRecord>(
    {
      load: async (last) => {
        const query = {
          ...(state.value !== 'all' && { status: state.value }),
          ...(last && { before: last.message_id }),
          limit: MESSAGES_PAGE_MAX,
        };
        return (await call('listMessages', { params: { phone }, query })).messages;
      },
      keyOf,
      pageSize: MESSAGES_PAGE_MAX,
    },
    [phone, state.value],
  );
  const look = (): void => {
    // Whoever has scrolled into the past is not torn back to the present.
    const isAtStart = (log.items?.length ?? 0) <= MESSAGES_PAGE_MAX;
    if (isAtStart) void log.reload();
  };
  useLive((live) => {
    if (live.phone === phone && (live.kind === 'status' || live.kind === 'receipt')) look();
  }, look);
  return (
    <>
      <div class="activity-filter">
        <SelectField
          label={activityTexts.status}
          value={state.value}
          choices={STATES}
          onChange={(chosen) => (state.value = chosen)}
        />
      </div>
      {log.problem && <ErrorNote problem={log.problem} retry={() => void log.reload()} />}
      {!log.items && !log.problem && <Skeleton />}
      {log.items?.length === 0 && (
        <Empty
          icon="send"
          title={activityTexts.emptyTitle}
          action={<LinkButton href="/portal/test-send">{activityTexts.trySend}</LinkButton>}
        >
          {state.value === 'all' ? activityTexts.noMessagesText : activityTexts.emptyFiltered}
        </Empty>
      )}
      {log.items && log.items.length > 0 && (
        <Table
          label={activityTexts.messages}
          columns={COLUMNS}
          rows={log.items}
          keyOf={keyOf}
          onOpen={(message) => (opened.value = message)}
          onEnd={() => void log.more()}
        />
      )}
      {opened.value && <MessageDialog message={opened.value} onClose={() => (opened.value = undefined)} />}
    </>
  );
}

function StateBadge({ state }: { state: MessageState }) {
  return <Badge tone={TONES[state]}>{messageStates[state]}</Badge>;
}

const targetOf = (to: string): string => (to === '' ? activityTexts.everybody : personOf(to));

function MessageDialog({ message, onClose }: { message: MessageRecord; onClose: () => void }) {
  const { message_id, request_id, session_id, to, type, status, reason } = message;
  return (
    <Dialog title={`${activityTexts.message} · ${type}`} onClose={onClose} wide>
      {reason && (
        <Note tone="warning" icon="warning">
          {failureReasons[reason]}
        </Note>
      )}
      <Facts>
        <Fact name={activityTexts.status}>
          <StateBadge state={status} />
        </Fact>
        <Fact name={activityTexts.to}>{targetOf(to)}</Fact>
        <Fact name={activityTexts.accepted}>{formatTime(message.accepted_at_unix)}</Fact>
        <Fact name={activityTexts.updated}>{formatTime(message.updated_at_unix)}</Fact>
        <Fact name={activityTexts.message}>
          <code>{message_id}</code>
        </Fact>
        <Fact name={activityTexts.request}>
          <code>{request_id}</code>
        </Fact>
        <Fact name={activityTexts.session}>
          <code>{session_id}</code>
        </Fact>
      </Facts>
      <Actions>
        <Button onClick={onClose}>{words.close}</Button>
      </Actions>
    </Dialog>
  );
}
