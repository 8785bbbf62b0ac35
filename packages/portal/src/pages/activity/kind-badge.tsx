import type { EventKind } from '@parley/contract';
import { eventTexts } from '../../texts/events.ts';
import { Badge, type Tone } from '../../ui/index.ts';

const TONES: Readonly<Partial<Record<EventKind, Tone>>> = {
  message: 'accent',
  status: 'info',
  receipt: 'good',
  connection: 'waiting',
};

export function KindBadge({ kind }: { kind: EventKind }) {
  return <Badge tone={TONES[kind] ?? 'idle'}>{eventTexts[kind].name}</Badge>;
}
