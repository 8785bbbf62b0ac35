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

/** States by urgency, most urgent first. */
const URGENCY: readonly HealthState[] = ['banned', 'restricted', 'watch', 'unlinked', 'healthy'];

export function HealthBadge({ state }: { state: HealthState }) {
  return (
    <Badge tone={TONES[state]} dot>
      {healthStates[state]}
    </Badge>
  );
}

/** Sort key, most urgent first; unknown states come last. */
export function urgencyOf({ health }: { health?: { state: HealthState } | undefined }): number {
  return health ? URGENCY.indexOf(health.state) : URGENCY.length;
}
