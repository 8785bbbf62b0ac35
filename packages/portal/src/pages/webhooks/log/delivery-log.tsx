import { DELIVERIES_PAGE_DEFAULT, type PortalDelivery, type Webhook } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, useLive, usePages } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { everyWhileVisible } from '../../../kernel/clock.ts';
import { useFilters } from '../../../kernel/filters.ts';
import { may } from '../../../state/visit.ts';
import { logTexts, replayTexts } from '../../../texts/deliveries.ts';
import { personOf } from '../../../texts/events.ts';
import {
  Ago,
  Badge,
  Button,
  Card,
  type Column,
  Empty,
  ErrorNote,
  formatMs,
  Skeleton,
  Table,
} from '../../../ui/index.ts';
import { nameOfKind, summarizeAttempt } from '../delivery.ts';
import { DeliveryBadge } from '../state-badge.tsx';
import { LogFilterFields, type LogFilters, NO_FILTERS, queryOf } from './log-filters.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { ReplayProgress } from './replay-progress.tsx';

/** Polled, because the event stream does not report deliveries. */
const POLL_MS = 1_500;

const keyOf = ({ delivery_id }: PortalDelivery): string => delivery_id;

const COLUMNS: readonly Column<PortalDelivery>[] = [
  {
    title: logTexts.event,
    cell: ({ kind, test }) => (
      <>
        {nameOfKind(kind)} {test && <Badge>{logTexts.test}</Badge>}
      </>
    ),
    share: 1.7,
  },
  { title: logTexts.status, cell: ({ status }) => <DeliveryBadge status={status} />, share: 1.2 },
  {
    title: logTexts.with,
    cell: ({ counterparty }) => (counterparty === null ? '–' : personOf(counterparty)),
    share: 1.6,
    secondary: true,
  },
  {
    title: logTexts.eventId,
    cell: ({ event_id }) => <code title={event_id}>{event_id}</code>,
    share: 1.3,
    secondary: true,
  },
  {
    title: logTexts.attempts,
    cell: ({ attempts }) => attempts.length,
    share: 1.1,
    secondary: true,
    atEnd: true,
  },
  {
    title: logTexts.code,
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return last ? <span title={summarizeAttempt(last)}>{last.status_code ?? last.error}</span> : '–';
    },
    share: 0.8,
    secondary: true,
    atEnd: true,
  },
  {
    title: logTexts.took,
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return last ? formatMs(last.duration_ms) : '–';
    },
    share: 0.8,
    secondary: true,
    atEnd: true,
  },
  {
    title: logTexts.when,
    cell: ({ queued_at_unix }) => <Ago at={queued_at_unix} />,
    share: 1.7,
    atEnd: true,
  },
];

/** Deliveries with the receiver's answers, newest first. */
export function DeliveryLog({ webhook, sends }: { webhook: Webhook; sends: number }) {
  const filters = useFilters<LogFilters>(NO_FILTERS);
  const replays = useSignal(false);
  const replay = useSignal<string | undefined>(undefined);
  const query = queryOf(filters.value);
  const log = usePages<PortalDelivery>(
    {
      load: async (last) => {
        const page = { ...query, ...(last && { before: last.delivery_id }), limit: DELIVERIES_PAGE_DEFAULT };
        return (await call('listMyDeliveries', { params: { id: webhook.id }, query: page })).deliveries;
      },
      keyOf,
      pageSize: DELIVERIES_PAGE_DEFAULT,
    },
    [webhook.id, JSON.stringify(query)],
  );
  const isPast = (log.items?.length ?? 0) > DELIVERIES_PAGE_DEFAULT;
  // A reload would lose the scroll position in older pages.
  const look = (): void => {
    if (!isPast) inBackground(log.reload());
  };
  useEffect(() => {
    if (sends > 0) inBackground(log.reload());
  }, [sends]);
  useLive(look, look);
  useEffect(() => (isPast ? undefined : everyWhileVisible(POLL_MS, look)), [log.reload, isPast]);
  return (
    <Card
      title={logTexts.title}
      flush
      actions={
        may('build') && (
          <Button
            small
            icon="refresh"
            onClick={() => {
              replays.value = true;
            }}
          >
            {replayTexts.open}
          </Button>
        )
      }
    >
      {replay.value !== undefined && (
        <ReplayProgress
          key={replay.value}
          webhookId={webhook.id}
          replayId={replay.value}
          onHide={() => {
            replay.value = undefined;
          }}
        />
      )}
      <LogFilterFields filters={filters} />
      {log.problem && <ErrorNote problem={log.problem} retry={() => inBackground(log.reload())} />}
      {!log.items && !log.problem && <Skeleton />}
      {log.items?.length === 0 && (
        <Nothing
          filters={filters.value}
          areDefault={filters.areDefault}
          clear={() => filters.change(NO_FILTERS)}
        />
      )}
      {log.items && log.items.length > 0 && (
        <Table
          label={logTexts.title}
          columns={COLUMNS}
          rows={log.items}
          keyOf={keyOf}
          hrefOf={({ delivery_id }) => `/portal/webhooks/${webhook.id}/deliveries/${delivery_id}`}
          onEnd={() => inBackground(log.more())}
        />
      )}
      {replays.value && (
        <ReplayDialog
          webhookId={webhook.id}
          onStarted={({ replay_id }) => {
            replay.value = replay_id;
            inBackground(log.reload());
          }}
          onClose={() => {
            replays.value = false;
          }}
        />
      )}
    </Card>
  );
}

function Nothing({
  filters,
  areDefault,
  clear,
}: {
  filters: LogFilters;
  areDefault: boolean;
  clear: () => void;
}) {
  const isOnlyDead = JSON.stringify(filters) === JSON.stringify({ ...NO_FILTERS, status: 'dead' });
  if (isOnlyDead) {
    return (
      <Empty icon="check" title={logTexts.deadTitle}>
        {logTexts.deadText}
      </Empty>
    );
  }
  return (
    <Empty
      icon="inbox"
      title={logTexts.emptyTitle}
      action={!areDefault && <Button onClick={clear}>{logTexts.clear}</Button>}
    >
      {areDefault ? logTexts.emptyAll : logTexts.emptyFiltered}
    </Empty>
  );
}
