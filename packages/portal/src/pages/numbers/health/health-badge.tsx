import type { HealthState } from '@parley/contract';
import { healthStates } from '../../../texts/labels.ts';
import { Badge, type Tone } from '../../../ui/index.ts';

const TONES: Readonly<Record<HealthState, Tone>> = {
  healthy: 'good',
  watch: 'waiting',
  restricted: 'bad',
  banned: 'bad',
  unlinked: 'idle',
};

/** Those that need somebody first. */
const URGENCY: readonly HealthState[] = ['banned', 'restricted', 'watch', 'unlinked', 'healthy'];

export function HealthBadge({ state }: { state: HealthState }) {
  return (
    <Badge tone={TONES[state]} dot>
      {healthStates[state]}
    </Badge>
  );
}

/** For sorting: the lower, the sooner somebody should look. One of which nothing is known comes last. */
export function urgencyOf({ health }: { health?: { state: HealthState } | undefined }): number {
  return health ? URGENCY.indexOf(health.state) : URGENCY.length;
}
