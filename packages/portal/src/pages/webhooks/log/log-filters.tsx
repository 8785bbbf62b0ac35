import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  EVENT_KINDS,
  type EventKind,
  UNRECORDED_KINDS,
} from '@parley/contract';
import type { InputOf } from '../../../api/index.ts';
import type { Filters } from '../../../kernel/filters.ts';
import { timeRange } from '../../../kernel/time-range.ts';
import { words } from '../../../texts/common.ts';
import { logTexts } from '../../../texts/deliveries.ts';
import { eventTexts } from '../../../texts/events.ts';
import { choicesOf, deliveryStates } from '../../../texts/labels.ts';
import { SearchField, Segments, SelectField, TextField } from '../../../ui/index.ts';

/** Values in the address. */
export const NO_FILTERS = { search: '', status: 'all', kind: 'all', from: '', to: '' };
export type LogFilters = typeof NO_FILTERS;

const STATUSES = [{ value: 'all', label: words.all }, ...choicesOf(deliveryStates)];
const KINDS = [
  { value: 'all', label: words.allKinds },
  ...EVENT_KINDS.filter((kind) => !UNRECORDED_KINDS.has(kind)).map((kind) => ({
    value: kind,
    label: eventTexts[kind].name,
  })),
];

/** Query for the gateway; values from an address are not trusted. */
export function queryOf({
  search,
  status,
  kind,
  from,
  to,
}: LogFilters): InputOf<'listMyDeliveries'>['query'] {
  const knownStatus = DELIVERY_STATUSES.find((each): each is DeliveryStatus => each === status);
  const knownKind = EVENT_KINDS.find((each): each is EventKind => each === kind);
  return {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(knownStatus && { status: knownStatus }),
    ...(knownKind && { kind: knownKind }),
    ...timeRange(from, to),
  };
}

export function LogFilterFields({ filters: { value, change } }: { filters: Filters<LogFilters> }) {
  return (
    <div class="log-filters">
      <div class="log-search">
        <SearchField
          label={logTexts.search}
          placeholder={logTexts.searchHint}
          value={value.search}
          onSearch={(search) => change({ search })}
        />
      </div>
      <TextField
        label={logTexts.from}
        type="datetime-local"
        value={value.from}
        onInput={(from) => change({ from })}
      />
      <TextField
        label={logTexts.to}
        type="datetime-local"
        value={value.to}
        onInput={(to) => change({ to })}
      />
      <Segments
        label={logTexts.status}
        value={value.status}
        choices={STATUSES}
        onChange={(status) => change({ status })}
      />
      <SelectField
        label={logTexts.kind}
        value={value.kind}
        choices={KINDS}
        onChange={(kind) => change({ kind })}
      />
    </div>
  );
}
