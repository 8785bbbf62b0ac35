import type { Webhook } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { call, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { everyWhileVisible } from '../../kernel/clock.ts';
import { loadFailing } from '../../state/failing.ts';
import { nav } from '../../texts/common.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Empty, formatPhone, Loaded, Note, PageHead, Skeleton } from '../../ui/index.ts';
import { FailingCard } from './failing-card.tsx';
import { DeliveryLog } from './log/delivery-log.tsx';
import { failingOf, StateBadge, stateOf, type WebhookState } from './state-badge.tsx';
import { StatsCard } from './stats-card.tsx';
import { UrlsCard } from './urls-card.tsx';
import './webhooks.css';
import { WebhookActions } from './webhook-actions.tsx';

const POLL_MS = 2_000;
const back = { href: '/portal/webhooks', label: nav.webhooks };

export default function WebhookPage() {
  const { id = '' } = useRoute().params;
  const loaded = useResource(async () => {
    const { webhooks } = await call('listMyWebhooks');
    return { webhook: webhooks.find((each) => each.id === id) };
  }, [id]);
  return (
    <Loaded resource={loaded} skeleton={<Skeleton tall lines={3} />}>
      {({ webhook }) =>
        webhook ? (
          <Found webhook={webhook} onChanged={(changed) => loaded.replace({ webhook: changed })} />
        ) : (
          <>
            <PageHead title={nav.webhooks} back={back} />
            <Empty icon="webhook" title={webhookTexts.missingTitle}>
              {webhookTexts.missingText}
            </Empty>
          </>
        )
      }
    </Loaded>
  );
}

const NOTES: Partial<Record<WebhookState, string>> = {
  paused: webhookTexts.pausedNote,
  off: webhookTexts.offNote,
  notSetUp: webhookTexts.notSetUpNote,
};

function Found({ webhook, onChanged }: { webhook: Webhook; onChanged: (webhook: Webhook) => void }) {
  // Counts sends from this page; the log and the figures reload on each.
  const sends = useSignal(0);
  const onSent = (): void => {
    sends.value += 1;
  };
  // The banner polls too, but too rarely for repairing a receiver.
  useEffect(() => {
    inBackground(loadFailing());
    return everyWhileVisible(POLL_MS, () => inBackground(loadFailing()));
  }, [webhook]);
  const note = NOTES[stateOf(webhook)];
  return (
    <>
      <PageHead title={formatPhone(webhook.phone)} back={back} lead={<StateBadge webhook={webhook} />}>
        <WebhookActions webhook={webhook} onChanged={onChanged} onSent={onSent} />
      </PageHead>
      <div class="stack stack-loose">
        {note && (
          <Note tone="warning" icon="warning">
            {note}
          </Note>
        )}
        {failingOf(webhook).map((receiver) => (
          <FailingCard key={receiver.url} receiver={receiver} webhookId={webhook.id} onTried={onSent} />
        ))}
        <StatsCard id={webhook.id} sends={sends.value} />
        <DeliveryLog webhook={webhook} sends={sends.value} />
        <UrlsCard webhook={webhook} onChanged={onChanged} />
      </div>
    </>
  );
}
