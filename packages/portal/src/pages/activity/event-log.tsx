import { EVENT_KINDS, EVENTS_PAGE_DEFAULT, type EventKind } from '@parley/contract';
import { call, type LiveEvent, useLive, usePages } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { nowUnix } from '../../kernel/clock.ts';
import type { Filters } from '../../kernel/filters.ts';
import { may } from '../../state/visit.ts';
import { activityTexts } from '../../texts/activity.ts';
import { eventTexts } from '../../texts/events.ts';
import {
  Button,
  type Column,
  Empty,
  ErrorNote,
  formatPhone,
  LinkButton,
  Skeleton,
  Table,
  When,
} from '../../ui/index.ts';
import { KindBadge } from './kind-badge.tsx';

/** Entry of the list or of the stream. */
interface Entry {
  readonly cursor: string;
  readonly kind: EventKind;
  readonly phone: string;
  readonly at_unix: number;
  readonly event: Readonly<Record<string, unknown>>;
}

const keyOf = ({ cursor }: Entry): string => cursor;

/** Values in the address. */
export const NO_FILTERS = { number: '', kind: 'all' };
export type ActivityFilters = typeof NO_FILTERS;

const COLUMNS: readonly Column<Entry>[] = [
  { title: activityTexts.what, cell: ({ kind, event }) => eventTexts[kind].summarize(event), share: 3 },
  {
    title: activityTexts.kind,
    cell: ({ kind }) => <KindBadge kind={kind} />,
    share: 1.3,
    secondary: true,
  },
  { title: activityTexts.number, cell: ({ phone }) => formatPhone(phone), share: 1.5, secondary: true },
  {
    title: activityTexts.time,
    cell: ({ at_unix }) => <When at={at_unix} />,
    share: 1.2,
    atEnd: true,
  },
];

/** List of events, newest first; live events appear on top. */
export function EventLog({ filters }: { filters: Filters<ActivityFilters> }) {
  const { number, kind } = filters.value;
  const known = EVENT_KINDS.find((each) => each === kind);
  const filter = { ...(number !== '' && { phone: number }), ...(known && { kind: known }) };
  const log = usePages<Entry>(
    {
      load: async (last) => {
        const query = { ...filter, ...(last && { before: last.cursor }), limit: EVENTS_PAGE_DEFAULT };
        return (await call('listActivity', { query })).events;
      },
      keyOf,
      pageSize: EVENTS_PAGE_DEFAULT,
    },
    [number, known],
  );
  useLive(
    (live) => {
      if (known && live.kind !== known) return;
      if (live.phone === null || (number !== '' && live.phone !== number)) return;
      log.prepend([entryOf(live, live.phone)]);
    },
    () => inBackground(log.reload()),
  );
  return (
    <>
      {log.problem && <ErrorNote problem={log.problem} retry={() => inBackground(log.reload())} />}
      {!log.items && !log.problem && <Skeleton />}
      {log.items?.length === 0 && <Nothing filters={filters} />}
      {log.items && log.items.length > 0 && (
        <Table
          label={activityTexts.events}
          columns={COLUMNS}
          rows={log.items}
          keyOf={keyOf}
          hrefOf={({ cursor }) => `/portal/activity/${cursor}`}
          onEnd={() => inBackground(log.more())}
        />
      )}
    </>
  );
}

function Nothing({ filters: { areDefault, change } }: { filters: Filters<ActivityFilters> }) {
  const toSend = may('build') && (
    <LinkButton look="primary" icon="send" href="/portal/test-send">
      {activityTexts.makeSome}
    </LinkButton>
  );
  const clear = <Button onClick={() => change(NO_FILTERS)}>{activityTexts.clear}</Button>;
  return (
    <Empty icon="activity" title={activityTexts.emptyTitle} action={areDefault ? toSend : clear}>
      {areDefault ? activityTexts.emptyText : activityTexts.emptyFiltered}
    </Empty>
  );
}

/** Ephemeral events have no time field; the current time stands in. */
function entryOf({ cursor, kind, event }: LiveEvent, phone: string): Entry {
  const { timestamp_unix } = event;
  return {
    cursor,
    kind,
    phone,
    event,
    at_unix: typeof timestamp_unix === 'number' ? timestamp_unix : nowUnix(),
  };
}
