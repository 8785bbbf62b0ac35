import type { RelatedDelivery } from '@parley/contract';
import { lifeTexts } from '../../texts/messages.ts';
import { Ago, Card, type Column, LinkButton, Table } from '../../ui/index.ts';
import { summarizeEvent } from '../webhooks/delivery.ts';
import { DeliveryBadge } from '../webhooks/state-badge.tsx';

const COLUMNS: readonly Column<RelatedDelivery>[] = [
  { title: lifeTexts.event, cell: summarizeEvent, share: 2 },
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

/** Deliveries of an event or message, each with a link to its page. */
export function DeliveriesCard({ deliveries }: { deliveries: readonly RelatedDelivery[] }) {
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
        <p class="quiet">{lifeTexts.noDeliveries}</p>
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
