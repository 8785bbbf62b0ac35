import type { PortalDeliveryDetail } from '@parley/contract';
import { useRoute } from 'preact-iso';
import { call, useAction, useResource } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { may } from '../../../state/visit.ts';
import { deliveryTexts } from '../../../texts/deliveries.ts';
import { personOf } from '../../../texts/events.ts';
import {
  Button,
  Card,
  CodePanel,
  CopyButton,
  ErrorNote,
  Fact,
  Facts,
  formatTime,
  LoadedPage,
  PageHead,
  toast,
} from '../../../ui/index.ts';
import { nameOfKind } from '../delivery.ts';
import { FailureText, titleOfFailure } from '../failure.tsx';
import { DeliveryBadge } from '../state-badge.tsx';
import { Attempts } from './attempts.tsx';
import { headersText } from './headers-text.ts';
import '../webhooks.css';

const POLL_MS = 1_500;

/** Page of one delivery: request, attempts and actions. */
export default function DeliveryPage() {
  const { id = '', delivery: delivery_id = '' } = useRoute().params;
  const params = { id, delivery_id };
  const loaded = useResource(() => call('getMyDelivery', { params }), [id, delivery_id], {
    everyMs: POLL_MS,
  });
  const back = { href: `/portal/webhooks/${id}`, label: deliveryTexts.back };
  const missing = {
    icon: 'inbox',
    title: deliveryTexts.missingTitle,
    text: deliveryTexts.missingText,
  } as const;
  return (
    <LoadedPage resource={loaded} back={back} missing={missing}>
      {(delivery) => (
        <>
          <PageHead
            title={nameOfKind(delivery.kind)}
            back={back}
            lead={<DeliveryBadge status={delivery.status} />}
          >
            {may('build') && (
              <DeliveryActions delivery={delivery} onDone={() => inBackground(loaded.reload())} />
            )}
          </PageHead>
          <DeliveryFacts delivery={delivery} />
        </>
      )}
    </LoadedPage>
  );
}

function DeliveryActions({ delivery, onDone }: { delivery: PortalDeliveryDetail; onDone: () => void }) {
  const { webhook_id: id, delivery_id, status, repeatable } = delivery;
  const isWaiting = status === 'pending';
  const { run, busy, problem } = useAction(async () => {
    await call(isWaiting ? 'hurryMyDelivery' : 'redeliverMine', { params: { id, delivery_id } });
    toast(isWaiting ? deliveryTexts.hurried : deliveryTexts.redelivered);
    onDone();
  });
  if (!isWaiting && !repeatable) return null;
  return (
    <>
      <Button look="primary" icon="refresh" busy={busy.value} onClick={() => inBackground(run())}>
        {isWaiting ? deliveryTexts.hurry : deliveryTexts.redeliver}
      </Button>
      {problem.value && <ErrorNote problem={problem.value} />}
    </>
  );
}

function DeliveryFacts({ delivery }: { delivery: PortalDeliveryDetail }) {
  const { status, attempts, url, counterparty, event_id, next_attempt_at_unix } = delivery;
  const last = attempts.at(-1);
  const messageId = sentMessage(delivery);
  return (
    <div class="stack stack-loose">
      {status !== 'delivered' && last?.cause && (
        <div class="failing">
          <Card title={titleOfFailure(last.cause, url, last.status_code ?? null)}>
            <FailureText cause={last.cause} />
          </Card>
        </div>
      )}
      <Card>
        <Facts>
          <Fact name={deliveryTexts.with}>{counterparty === null ? '–' : personOf(counterparty)}</Fact>
          <Fact name={deliveryTexts.queued}>{formatTime(delivery.queued_at_unix)}</Fact>
          {next_attempt_at_unix !== undefined && (
            <Fact name={deliveryTexts.next}>{formatTime(next_attempt_at_unix)}</Fact>
          )}
          <Fact name={deliveryTexts.size}>{deliveryTexts.bytes(delivery.size)}</Fact>
        </Facts>
        <Facts fit="wide">
          <Fact name={deliveryTexts.eventId}>
            <span class="row">
              <code>{event_id}</code>
              <CopyButton text={event_id} />
            </span>
          </Fact>
          <Fact name={deliveryTexts.to}>
            <code>{url}</code>
          </Fact>
          {messageId !== undefined && (
            <Fact name={deliveryTexts.message}>
              <a href={`/portal/messages/${encodeURIComponent(messageId)}`}>
                <code>{messageId}</code>
              </a>
            </Fact>
          )}
        </Facts>
      </Card>
      <Attempts attempts={attempts} />
      <Card title={deliveryTexts.request}>
        <CodePanel title={deliveryTexts.requestHeaders} code={headersText(delivery.request.headers)} />
        <CodePanel title={deliveryTexts.payload} code={JSON.stringify(delivery.event, null, 2)} />
      </Card>
    </div>
  );
}

/** Id of the sent message that the event is about; tests have none. */
function sentMessage({ kind, test, event }: PortalDeliveryDetail): string | undefined {
  const { message_id } = event;
  return (kind === 'status' || kind === 'receipt') && !test && typeof message_id === 'string'
    ? message_id
    : undefined;
}
