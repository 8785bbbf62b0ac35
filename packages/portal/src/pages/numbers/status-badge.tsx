import type { PortalNumber, SessionStatus } from '@parley/contract';
import { deviceStates, sessionStates } from '../../texts/labels.ts';
import { Badge, type Tone } from '../../ui/index.ts';

const TONES: Readonly<Record<SessionStatus | 'unlinked', Tone>> = {
  connected: 'good',
  reconnecting: 'waiting',
  offline: 'bad',
  logged_out: 'bad',
  unlinked: 'idle',
};

/** State of the link; of the number itself where that prevents linking. */
export function StatusBadge({ number }: { number: Pick<PortalNumber, 'status' | 'session'> }) {
  if (number.status !== 'active') return <Badge tone="waiting">{deviceStates[number.status]}</Badge>;
  return <SessionBadge state={number.session?.status} />;
}

/** State of the link; undefined means not linked. */
export function SessionBadge({ state = 'unlinked' }: { state?: SessionStatus | 'unlinked' | undefined }) {
  return (
    <Badge tone={TONES[state]} dot>
      {sessionStates[state]}
    </Badge>
  );
}
