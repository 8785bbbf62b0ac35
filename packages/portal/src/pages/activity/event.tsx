import type { EventDetail } from '@parley/contract';
import { useRoute } from 'preact-iso';
import { call, useResource } from '../../api/index.ts';
import { activityTexts } from '../../texts/activity.ts';
import { nav } from '../../texts/common.ts';
import { eventTexts } from '../../texts/events.ts';
import {
  Card,
  CodePanel,
  CopyButton,
  Fact,
  Facts,
  formatPhone,
  formatTime,
  LinkButton,
  LoadedPage,
  PageHead,
} from '../../ui/index.ts';
import { DeliveriesCard } from '../messages/deliveries-card.tsx';
import { KindBadge } from './kind-badge.tsx';

const BACK = { href: '/portal/activity', label: nav.activity };

/** Page of one event with its deliveries. */
export default function EventPage() {
  const { cursor = '' } = useRoute().params;
  const loaded = useResource(() => call('getEvent', { params: { cursor } }), [cursor]);
  const missing = {
    icon: 'activity',
    title: activityTexts.missingTitle,
    text: activityTexts.missingText,
  } as const;
  return (
    <LoadedPage resource={loaded} back={BACK} missing={missing}>
      {(entry) => (
        <>
          <PageHead
            title={eventTexts[entry.kind].summarize(entry.event)}
            back={BACK}
            lead={<KindBadge kind={entry.kind} />}
          >
            <ToMessage entry={entry} />
          </PageHead>
          <div class="stack stack-loose">
            <Card>
              <Facts>
                <Fact name={activityTexts.number}>
                  <a href={`/portal/numbers/${entry.phone}`}>{formatPhone(entry.phone)}</a>
                </Fact>
                <Fact name={activityTexts.time}>{formatTime(entry.at_unix)}</Fact>
              </Facts>
              <Facts fit="wide">
                <Fact name={activityTexts.eventId}>
                  <span class="row">
                    <code>{entry.event_id}</code>
                    <CopyButton text={entry.event_id} />
                  </span>
                </Fact>
              </Facts>
            </Card>
            <Card title={activityTexts.payload}>
              <CodePanel title={activityTexts.payload} code={JSON.stringify(entry.event, null, 2)} />
              <p class="quiet small">{activityTexts.payloadHint}</p>
            </Card>
            <DeliveriesCard deliveries={entry.deliveries} />
          </div>
        </>
      )}
    </LoadedPage>
  );
}

/** Link from an event about a sent message to that message. */
function ToMessage({ entry: { kind, event } }: { entry: EventDetail }) {
  if ((kind !== 'status' && kind !== 'receipt') || typeof event.message_id !== 'string') return null;
  return (
    <LinkButton icon="send" href={`/portal/messages/${encodeURIComponent(event.message_id)}`}>
      {activityTexts.toMessage}
    </LinkButton>
  );
}
