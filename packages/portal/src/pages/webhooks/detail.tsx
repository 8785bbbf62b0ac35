import type { Webhook } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { call, useResource } from '../../api/index.ts';
import { nav } from '../../texts/common.ts';
import { webhookTexts } from '../../texts/webhooks.ts';
import { Empty, formatPhone, Loaded, Note, PageHead, Skeleton } from '../../ui/index.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { StateBadge } from './state-badge.tsx';
import { StatsCard } from './stats-card.tsx';
import { UrlsCard } from './urls-card.tsx';
import './webhooks.css';
import { WebhookActions } from './webhook-actions.tsx';

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

function Found({ webhook, onChanged }: { webhook: Webhook; onChanged: (webhook: Webhook) => void }) {
  // Grows when something was sent from here, so that the log and the figures look again at once.
  const sends = useSignal(0);
  return (
    <>
      <PageHead title={formatPhone(webhook.phone)} back={back} lead={<StateBadge active={webhook.active} />}>
        <WebhookActions
          webhook={webhook}
          onChanged={onChanged}
          onSent={() => {
            sends.value += 1;
          }}
        />
      </PageHead>
      <div class="stack stack-loose">
        {!webhook.active && (
          <Note tone="warning" icon="warning">
            {webhookTexts.pausedNote}
          </Note>
        )}
        <StatsCard id={webhook.id} sends={sends.value} />
        <DeliveryLog webhook={webhook} sends={sends.value} />
        <UrlsCard webhook={webhook} onChanged={onChanged} />
      </div>
    </>
  );
}
