import type { PortalNumber } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, type LiveState, liveState, useLive, useResource } from '../../api/index.ts';
import { activityTexts } from '../../texts/activity.ts';
import { nav, shell, words } from '../../texts/common.ts';
import {
  Badge,
  Card,
  Empty,
  formatPhone,
  LinkButton,
  Loaded,
  PageHead,
  Segments,
  SelectField,
  Skeleton,
  type Tone,
} from '../../ui/index.ts';
import './activity.css';
import { EventLog } from './event-log.tsx';
import { MessageLog } from './message-log.tsx';
import { UsageCard } from './usage-card.tsx';

const LIVE_TONES: Readonly<Record<LiveState, Tone>> = { open: 'good', connecting: 'waiting', closed: 'idle' };

type View = 'events' | 'messages';
const VIEWS: readonly { value: View; label: string }[] = [
  { value: 'events', label: activityTexts.events },
  { value: 'messages', label: activityTexts.messages },
];

export default function ActivityPage() {
  const numbers = useResource(() => call('listNumbers'), []);
  // Holds the stream open whatever is shown, so that its state can be told.
  useLive(() => {});
  return (
    <>
      <PageHead title={nav.activity} lead={activityTexts.lead}>
        <Badge tone={LIVE_TONES[liveState.value]} dot>
          {shell.live[liveState.value]}
        </Badge>
      </PageHead>
      <Loaded resource={numbers} skeleton={<Skeleton tall lines={2} />}>
        {(data) => <Activity numbers={data.numbers} />}
      </Loaded>
    </>
  );
}

function Activity({ numbers }: { numbers: readonly PortalNumber[] }) {
  const chosen = useSignal('');
  const view = useSignal<View>('events');
  const [first] = numbers;
  if (!first) {
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
  const phone = chosen.value || undefined;
  // Messages are listed by number: without a choice it is the first.
  const sender = phone ?? first.phone;
  const choices = numbers.map((number) => ({ value: number.phone, label: formatPhone(number.phone) }));
  return (
    <div class="stack stack-loose">
      <div class="activity-number">
        <SelectField
          label={activityTexts.number}
          value={view.value === 'messages' ? sender : chosen.value}
          choices={view.value === 'messages' ? choices : [{ value: '', label: words.allNumbers }, ...choices]}
          onChange={(next) => (chosen.value = next)}
        />
      </div>
      <UsageCard phone={view.value === 'messages' ? sender : phone} />
      <Card
        flush
        title={view.value === 'events' ? activityTexts.events : activityTexts.messages}
        actions={
          <Segments
            label={activityTexts.view}
            value={view.value}
            choices={VIEWS}
            onChange={(next) => (view.value = next)}
          />
        }
      >
        {view.value === 'events' ? <EventLog phone={phone} /> : <MessageLog phone={sender} />}
      </Card>
    </div>
  );
}
