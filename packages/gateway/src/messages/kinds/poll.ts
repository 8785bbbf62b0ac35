import { kind } from './kind.ts';

export const poll = kind('poll', {
  content: (send) => ({
    kind: 'poll',
    name: send.poll_name,
    options: send.poll_options,
    selectableCount: send.poll_selectable_count ?? 0,
  }),
});
