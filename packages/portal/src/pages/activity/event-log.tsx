import { EVENT_KINDS, EVENTS_PAGE_DEFAULT, type EventKind } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, type LiveEvent, useLive, usePages } from '../../api/index.ts';
import { nowUnix } from '../../kernel/clock.ts';
import { activityTexts } from '../../texts/activity.ts';
import { words } from '../../texts/common.ts';
import { eventTexts } from '../../texts/events.ts';
import {
  Actions,
  Badge,
  Button,
  CodePanel,
  type Column,
  Dialog,
  Empty,
  ErrorNote,
  formatMoment,
  formatPhone,
  formatTime,
  SelectField,
  Skeleton,
  Table,
  type Tone,
} from '../../ui/index.ts';

/** As the list tells them and as the stream does. */
interface Entry {
  readonly cursor: string;
  readonly kind: EventKind;
  readonly phone: string;
  readonly at_unix: number;
  readonly event: Readonly<Record<string, unknown>>;
}

const keyOf = ({ cursor }: Entry): string => cursor;

type KindFilter = EventKind | 'all';
const KINDS: readonly { value: KindFilter; label: string }[] = [
  { value: 'all', label: words.allKinds },
  ...EVENT_KINDS.map((kind) => ({ value: kind, label: eventTexts[kind].name })),
];

const TONES: Readonly<Partial<Record<EventKind, Tone>>> = {
  message: 'accent',
  status: 'info',
  receipt: 'good',
  connection: 'waiting',
};

const COLUMNS: readonly Column<Entry>[] = [
  { title: activityTexts.what, cell: ({ kind, event }) => eventTexts[kind].tell(event), share: 3 },
  {
    title: activityTexts.kind,
    cell: ({ kind }) => <Badge tone={TONES[kind] ?? 'idle'}>{eventTexts[kind].name}</Badge>,
    share: 1.3,
    secondary: true,
  },
  { title: activityTexts.number, cell: ({ phone }) => formatPhone(phone), share: 1.5, secondary: true },
  {
    title: activityTexts.time,
    cell: ({ at_unix }) => (
      <span class="figures" title={formatTime(at_unix)}>
        {formatMoment(at_unix)}
      </span>
    ),
    share: 1.2,
    atEnd: true,
  },
];

/** Everything that happened, newest first; what happens now appears on top. */
export function EventLog({ phone }: { phone: string | undefined }) {
  const kind = useSignal<KindFilter>('all');
  const opened = useSignal<Entry | undefined>(undefined);
  const filter = { ...(phone && { phone }), ...(kind.value !== 'all' && { kind: kind.value }) };
  const log = usePages<Entry>(
    {
      load: async (last) => {
        const query = { ...filter, ...(last && { before: last.cursor }), limit: EVENTS_PAGE_DEFAULT };
        return (await call('listActivity', { query })).events;
      },
      keyOf,
      pageSize: EVENTS_PAGE_DEFAULT,
    },
    [phone, kind.value],
  );
  useLive(
    (live) => {
      if (kind.value !== 'all' && live.kind !== kind.value) return;
      if (live.phone === null || (phone && live.phone !== phone)) return;
      log.prepend([entryOf(live, live.phone)]);
    },
    () => void log.reload(),
  );
  return (
    <>
      <div class="activity-filter">
        <SelectField
          label={activityTexts.kind}
          value={kind.value}
          choices={KINDS}
          onChange={(chosen) => (kind.value = chosen)}
        />
      </div>
      {log.problem && <ErrorNote problem={log.problem} retry={() => void log.reload()} />}
      {!log.items && !log.problem && <Skeleton />}
      {log.items?.length === 0 && (
        <Empty icon="activity" title={activityTexts.emptyTitle}>
          {kind.value === 'all' ? activityTexts.emptyText : activityTexts.emptyFiltered}
        </Empty>
      )}
      {log.items && log.items.length > 0 && (
        <Table
          label={activityTexts.events}
          columns={COLUMNS}
          rows={log.items}
          keyOf={keyOf}
          onOpen={(entry) => (opened.value = entry)}
          onEnd={() => void log.more()}
        />
      )}
      {opened.value && <EventDialog entry={opened.value} onClose={() => (opened.value = undefined)} />}
    </>
  );
}

/** Fleeting events carry no time of their own: they are of now. */
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

function EventDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  return (
    <Dialog title={eventTexts[entry.kind].tell(entry.event)} onClose={onClose} wide>
      <p class="quiet">
        {formatPhone(entry.phone)} · {formatTime(entry.at_unix)}
      </p>
      <CodePanel title={activityTexts.payload} code={JSON.stringify(entry.event, null, 2)} />
      <p class="quiet small">{activityTexts.payloadHint}</p>
      <Actions>
        <Button onClick={onClose}>{words.close}</Button>
      </Actions>
    </Dialog>
  );
}
