import { EVENT_KINDS, type PortalNumber } from '@parley/contract';
import { call, type LiveState, liveState, useLive, useResource, wholeList } from '../../api/index.ts';
import { useFilters } from '../../kernel/filters.ts';
import { activityTexts } from '../../texts/activity.ts';
import { nav, shell, words } from '../../texts/common.ts';
import { eventTexts } from '../../texts/events.ts';
import { Badge, Card, Empty, LinkButton, PageHead, SelectField, type Tone } from '../../ui/index.ts';
import './activity.css';
import { numberChoices } from '../numbers/choices.ts';
import { EventLog, NO_FILTERS } from './event-log.tsx';

const LIVE_TONES: Readonly<Record<LiveState, Tone>> = { open: 'good', connecting: 'waiting', closed: 'idle' };

const KINDS = [
  { value: 'all', label: words.allKinds },
  ...EVENT_KINDS.map((kind) => ({ value: kind, label: eventTexts[kind].name })),
];

export default function ActivityPage() {
  const numbers = useResource(() => wholeList((page) => call('listNumbers', { query: page })), []);
  // Keeps the stream open for every tab of the page, which shows the stream's state.
  useLive(() => {});
  return (
    <>
      <PageHead title={nav.activity} lead={activityTexts.lead}>
        <Badge tone={LIVE_TONES[liveState.value]} dot>
          {shell.live[liveState.value]}
        </Badge>
      </PageHead>
      {/* What happened need not wait for the numbers to choose from. */}
      {numbers.data?.numbers.length === 0 ? (
        <NoNumbers />
      ) : (
        <Activity numbers={numbers.data?.numbers ?? []} />
      )}
    </>
  );
}

function NoNumbers() {
  return (
    <Empty
      icon="activity"
      title={activityTexts.noNumbersTitle}
      action={<LinkButton href="/portal/numbers">{words.toStart}</LinkButton>}
    >
      {activityTexts.noNumbersText}
    </Empty>
  );
}

function Activity({ numbers }: { numbers: readonly PortalNumber[] }) {
  const filters = useFilters(NO_FILTERS);
  return (
    <Card flush>
      <div class="activity-filter">
        <SelectField
          label={activityTexts.number}
          value={filters.value.number}
          choices={[{ value: '', label: words.allNumbers }, ...numberChoices(numbers)]}
          onChange={(number) => filters.change({ number })}
        />
        <SelectField
          label={activityTexts.kind}
          value={filters.value.kind}
          choices={KINDS}
          onChange={(kind) => filters.change({ kind })}
        />
      </div>
      <EventLog filters={filters} />
    </Card>
  );
}
