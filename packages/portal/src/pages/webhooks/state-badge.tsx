import type { DeliveryStatus } from '@parley/contract';
import { deliveryStates } from '../../texts/labels.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { Badge, type Tone } from '../../ui/index.ts';

export function StateBadge({ active }: { active: boolean }) {
  return (
    <Badge tone={active ? 'good' : 'waiting'} dot>
      {active ? webhooksTexts.active : webhooksTexts.paused}
    </Badge>
  );
}

const TONES: Readonly<Record<DeliveryStatus, Tone>> = { pending: 'waiting', delivered: 'good', dead: 'bad' };

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  return <Badge tone={TONES[status]}>{deliveryStates[status]}</Badge>;
}
