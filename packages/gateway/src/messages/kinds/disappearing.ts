import { DISAPPEARING_SECONDS } from '@parley/contract';
import { kind } from './kind.ts';

export const disappearing = kind('disappearing', {
  content: (send) => ({ kind: 'disappearing', seconds: DISAPPEARING_SECONDS[send.disappearing_timer] }),
});
