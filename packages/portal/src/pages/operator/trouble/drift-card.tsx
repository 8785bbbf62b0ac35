import type { DriftEntry } from '@parley/contract';
import { call, useResource } from '../../../api/index.ts';
import { troubleTexts } from '../../../texts/oversight.ts';
import { Ago, Card, type Column, formatNumber, Loaded, Table } from '../../../ui/index.ts';

const POLL_MS = 10_000;

const columns: readonly Column<DriftEntry>[] = [
  { title: troubleTexts.part, cell: ({ part }) => troubleTexts.parts[part], share: 1.1 },
  { title: troubleTexts.kind, cell: ({ name }) => <code>{name}</code>, share: 1.6 },
  { title: troubleTexts.times, cell: ({ count }) => formatNumber(count), share: 0.6 },
  { title: troubleTexts.structure, cell: ({ sample }) => <code>{sample}</code>, share: 3, secondary: true },
  {
    title: troubleTexts.first,
    cell: ({ first_seen_at }) => <Ago at={first_seen_at} />,
    share: 0.9,
    secondary: true,
  },
  {
    title: troubleTexts.last,
    cell: ({ last_seen_at }) => <Ago at={last_seen_at} />,
    share: 0.9,
    atEnd: true,
    secondary: true,
  },
];

/** What the network sends and the driver does not understand: kind and structure, without contents. */
export function DriftCard() {
  const drift = useResource(() => call('listDrift'), [], { everyMs: POLL_MS });
  return (
    <Card flush title={troubleTexts.drift}>
      <Loaded resource={drift}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p class="card-note quiet">{troubleTexts.noneDrift}</p>
          ) : (
            <Table
              label={troubleTexts.drift}
              columns={columns}
              rows={entries}
              keyOf={({ part, name }) => `${part} ${name}`}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
