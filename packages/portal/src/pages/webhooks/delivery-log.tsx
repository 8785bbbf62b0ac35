import {
  DELIVERIES_PAGE_DEFAULT,
  type Delivery,
  type DeliveryStatus,
  EVENT_KINDS,
  type EventKind,
  UNRECORDED_KINDS,
  type Webhook,
} from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, usePages } from '../../api/index.ts';
import { everyWhileVisible } from '../../kernel/clock.ts';
import { words } from '../../texts/common.ts';
import { eventTexts } from '../../texts/events.ts';
import { choicesOf, deliveryStates } from '../../texts/labels.ts';
import { logTexts } from '../../texts/webhooks.ts';
import {
  Ago,
  Card,
  type Column,
  Empty,
  ErrorNote,
  formatMs,
  Segments,
  SelectField,
  Skeleton,
  Table,
} from '../../ui/index.ts';
import { nameOfKind, tellAttempt } from './delivery.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryBadge } from './state-badge.tsx';

const LOOK_EVERY_MS = 5_000;

const keyOf = ({ delivery_id }: Delivery): string => delivery_id;

type StatusFilter = DeliveryStatus | 'all';
const STATUSES: readonly { value: StatusFilter; label: string }[] = [
  { value: 'all', label: words.all },
  ...choicesOf(deliveryStates),
];

type KindFilter = EventKind | 'all';
const KINDS: readonly { value: KindFilter; label: string }[] = [
  { value: 'all', label: words.allKinds },
  ...EVENT_KINDS.filter((kind) => !UNRECORDED_KINDS.has(kind)).map((kind) => ({
    value: kind,
    label: eventTexts[kind].name,
  })),
];

const COLUMNS: readonly Column<Delivery>[] = [
  { title: logTexts.event, cell: ({ kind }) => nameOfKind(kind), share: 1.4 },
  { title: logTexts.status, cell: ({ status }) => <DeliveryBadge status={status} />, share: 1.2 },
  { title: logTexts.attempts, cell: ({ attempts }) => attempts.length, share: 0.8, secondary: true },
  {
    title: logTexts.answer,
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return last ? `${tellAttempt(last)} · ${formatMs(last.duration_ms)}` : '–';
    },
    share: 1.8,
    secondary: true,
  },
  {
    title: logTexts.when,
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return last ? <Ago at={last.at_unix} /> : <span class="quiet">{logTexts.noAttempt}</span>;
    },
    share: 1.2,
    atEnd: true,
  },
];

/** What was sent to the receiver and how it answered, newest first. */
export function DeliveryLog({ webhook, sends }: { webhook: Webhook; sends: number }) {
  const status = useSignal<StatusFilter>('all');
  const kind = useSignal<KindFilter>('all');
  const opened = useSignal<string | undefined>(undefined);
  const log = usePages<Delivery>(
    {
      load: async (last) => {
        const query = {
          ...(status.value !== 'all' && { status: status.value }),
          ...(kind.value !== 'all' && { kind: kind.value }),
          ...(last && { before: last.delivery_id }),
          limit: DELIVERIES_PAGE_DEFAULT,
        };
        return (await call('listMyDeliveries', { params: { id: webhook.id }, query })).deliveries;
      },
      keyOf,
      pageSize: DELIVERIES_PAGE_DEFAULT,
    },
    [webhook.id, status.value, kind.value],
  );
  const shown = log.items?.length ?? 0;
  useEffect(() => {
    if (sends > 0) void log.reload();
  }, [sends]);
  // Whoever has scrolled into the past is not torn back to the present.
  useEffect(
    () =>
      shown > DELIVERIES_PAGE_DEFAULT ? undefined : everyWhileVisible(LOOK_EVERY_MS, () => void log.reload()),
    [log.reload, shown > DELIVERIES_PAGE_DEFAULT],
  );
  const open = log.items?.find(({ delivery_id }) => delivery_id === opened.value);
  return (
    <Card title={logTexts.title} flush>
      <div class="log-filters">
        <Segments
          label={logTexts.status}
          value={status.value}
          choices={STATUSES}
          onChange={(chosen) => {
            status.value = chosen;
          }}
        />
        <SelectField
          label={logTexts.kind}
          value={kind.value}
          choices={KINDS}
          onChange={(chosen) => {
            kind.value = chosen;
          }}
        />
      </div>
      {log.problem && <ErrorNote problem={log.problem} retry={() => void log.reload()} />}
      {!log.items && !log.problem && <Skeleton />}
      {log.items?.length === 0 && <Nothing status={status.value} kind={kind.value} />}
      {log.items && log.items.length > 0 && (
        <Table
          label={logTexts.title}
          columns={COLUMNS}
          rows={log.items}
          keyOf={keyOf}
          onOpen={({ delivery_id }) => {
            opened.value = delivery_id;
          }}
          onEnd={() => void log.more()}
        />
      )}
      {open && (
        <DeliveryDialog
          delivery={open}
          webhookId={webhook.id}
          onRedelivered={() => void log.reload()}
          onClose={() => {
            opened.value = undefined;
          }}
        />
      )}
    </Card>
  );
}

function Nothing({ status, kind }: { status: StatusFilter; kind: KindFilter }) {
  if (status === 'dead' && kind === 'all') {
    return (
      <Empty icon="check" title={logTexts.deadTitle}>
        {logTexts.deadText}
      </Empty>
    );
  }
  return (
    <Empty icon="inbox" title={logTexts.emptyTitle}>
      {status === 'all' && kind === 'all' ? logTexts.emptyAll : logTexts.emptyFiltered}
    </Empty>
  );
}
