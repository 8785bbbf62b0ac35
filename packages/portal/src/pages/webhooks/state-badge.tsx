import { type DeliveryStatus, EVENT_CATEGORIES, URL_FIELD_OF_CATEGORY, type Webhook } from '@parley/contract';
import { failing } from '../../state/failing.ts';
import { deliveryStates } from '../../texts/labels.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { Badge, type Tone } from '../../ui/index.ts';

export type WebhookState = 'active' | 'failing' | 'paused' | 'off' | 'notSetUp';

/** State of a webhook, derived from its settings and its receivers. */
export function stateOf(webhook: Webhook): WebhookState {
  if (EVENT_CATEGORIES.every((category) => webhook[URL_FIELD_OF_CATEGORY[category]] === ''))
    return 'notSetUp';
  if (!webhook.active) return 'off';
  if (webhook.paused) return 'paused';
  return failingOf(webhook).length > 0 ? 'failing' : 'active';
}

/** Failing receivers of a webhook. */
export function failingOf({ id }: Webhook): typeof failing.value {
  return failing.value.filter(({ webhooks }) => webhooks.some(({ webhook_id }) => webhook_id === id));
}

const STATE_TONES: Readonly<Record<WebhookState, Tone>> = {
  active: 'good',
  failing: 'bad',
  paused: 'waiting',
  off: 'idle',
  notSetUp: 'waiting',
};

export function StateBadge({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook);
  return (
    <Badge tone={STATE_TONES[state]} dot>
      {webhooksTexts[state]}
    </Badge>
  );
}

const TONES: Readonly<Record<DeliveryStatus, Tone>> = { pending: 'waiting', delivered: 'good', dead: 'bad' };

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  return <Badge tone={TONES[status]}>{deliveryStates[status]}</Badge>;
}
