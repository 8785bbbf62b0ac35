import type { TellingDelivery } from '@parley/contract';
import { lifeTexts } from '../../texts/messages.ts';
import { Ago, Card, type Column, LinkButton, Table } from '../../ui/index.ts';
import { tellEvent } from '../webhooks/delivery.ts';
import { DeliveryBadge } from '../webhooks/state-badge.tsx';

const COLUMNS: readonly Column<TellingDelivery>[] = [
  { title: lifeTexts.event, cell: tellEvent, share: 2 },
  { title: lifeTexts.result, cell: ({ status }) => <DeliveryBadge status={status} /> },
  {
    title: lifeTexts.attemptsMade,
    cell: ({ attempts }) => attempts.length,
    share: 0.8,
    secondary: true,
    atEnd: true,
  },
  { title: lifeTexts.queued, cell: ({ queued_at_unix }) => <Ago at={queued_at_unix} />, atEnd: true },
];

/** The deliveries that told of something, each with a page of its own. */
export function Telling({ deliveries }: { deliveries: readonly TellingDelivery[] }) {
  if (deliveries.length === 0) {
    return (
      <Card
        title={lifeTexts.deliveries}
        actions={
          <LinkButton small icon="webhook" href="/portal/webhooks">
            {lifeTexts.toWebhooks}
          </LinkButton>
        }
      >
        <p class="quiet">{lifeTexts.notTold}</p>
      </Card>
    );
  }
  return (
    <Card title={lifeTexts.deliveries} flush>
      <Table
        label={lifeTexts.deliveries}
        columns={COLUMNS}
        rows={deliveries}
        keyOf={({ delivery_id }) => delivery_id}
        hrefOf={({ webhook_id, delivery_id }) => `/portal/webhooks/${webhook_id}/deliveries/${delivery_id}`}
      />
    </Card>
  );
}
