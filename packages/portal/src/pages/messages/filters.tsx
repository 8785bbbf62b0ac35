import { MESSAGE_STATES, type MessageDirection, type PortalNumber } from '@parley/contract';
import type { InputOf } from '../../api/index.ts';
import type { Filters } from '../../kernel/filters.ts';
import { timeRange } from '../../kernel/time-range.ts';
import { words } from '../../texts/common.ts';
import { choicesOf, messageStates } from '../../texts/labels.ts';
import { messagesTexts } from '../../texts/messages.ts';
import { SearchField, Segments, SelectField, TextField } from '../../ui/index.ts';
import { numberChoices } from '../numbers/choices.ts';

/** Values in the address. */
export const NO_FILTERS = { direction: 'out', search: '', number: '', status: 'all', from: '', to: '' };
export type MessageFilters = typeof NO_FILTERS;

const STATES = [{ value: 'all', label: messagesTexts.allStates }, ...choicesOf(messageStates)];

export function directionOf({ direction }: MessageFilters): MessageDirection {
  return direction === 'in' ? 'in' : 'out';
}

/** Query for the gateway; values from an address are not trusted. */
export function queryOf(filters: MessageFilters): NonNullable<InputOf<'searchMessages'>['query']> {
  const { search, number, status, from, to } = filters;
  const direction = directionOf(filters);
  const known = MESSAGE_STATES.find((each) => each === status);
  return {
    direction,
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(number !== '' && { phone: number }),
    ...(known && direction === 'out' && { status: known }),
    ...timeRange(from, to),
  };
}

export function FilterFields({
  filters: { value, change },
  numbers,
}: {
  filters: Filters<MessageFilters>;
  numbers: readonly PortalNumber[];
}) {
  const direction = directionOf(value);
  return (
    <div class="log-filters">
      <div class="log-search">
        <SearchField
          label={messagesTexts.search}
          placeholder={direction === 'out' ? messagesTexts.searchHint : messagesTexts.searchHintIn}
          value={value.search}
          onSearch={(search) => change({ search })}
        />
      </div>
      <TextField
        label={messagesTexts.from}
        type="datetime-local"
        value={value.from}
        onInput={(from) => change({ from })}
      />
      <TextField
        label={messagesTexts.to}
        type="datetime-local"
        value={value.to}
        onInput={(to) => change({ to })}
      />
      <Segments
        label={messagesTexts.direction}
        value={direction}
        choices={choicesOf(messagesTexts.directions)}
        onChange={(chosen) => change({ direction: chosen })}
      />
      <SelectField
        label={messagesTexts.number}
        value={value.number}
        choices={[{ value: '', label: words.allNumbers }, ...numberChoices(numbers)]}
        onChange={(number) => change({ number })}
      />
      {direction === 'out' && (
        <SelectField
          label={messagesTexts.status}
          value={value.status}
          choices={STATES}
          onChange={(status) => change({ status })}
        />
      )}
    </div>
  );
}
