import type { MessageState } from '@parley/contract';
import { messageStates } from '../../texts/labels.ts';
import { Badge, type Tone } from '../../ui/index.ts';

const TONES: Readonly<Record<MessageState, Tone>> = {
  accepted: 'waiting',
  sent: 'info',
  delivered: 'good',
  read: 'good',
  played: 'good',
  failed: 'bad',
};

export function StateBadge({ state }: { state: MessageState }) {
  return <Badge tone={TONES[state]}>{messageStates[state]}</Badge>;
}
