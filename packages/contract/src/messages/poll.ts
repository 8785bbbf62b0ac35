import Type from 'typebox';
import {
  POLL_NAME_MAX_LENGTH,
  POLL_OPTION_MAX_LENGTH,
  POLL_OPTIONS_MAX,
  POLL_OPTIONS_MIN,
} from '../limits.ts';
import { lines } from '../schema.ts';
import { complaint } from '../validate/complaint.ts';
import { addressed, sendKind } from './kind.ts';

export const poll = sendKind({
  kind: 'poll',
  plan: 'max',
  label: 'polls',
  guide: [
    '2 to 12 options; `poll_selectable_count` is 1 for a single choice, 0 for any number. Votes arrive as `poll_vote` events',
    'with the chosen texts in `selected_options`, where the number sent or saw the poll within the last half year, and with hashes of them in any case: hash each',
    'option with SHA-256 and compare, as the [poll bot](../examples/README.md#poll-bot) does.',
  ].join('\n'),
  title: 'SendPoll',
  summary: 'Poll',
  properties: {
    ...addressed,
    type: Type.Literal('poll'),
    poll_name: lines(POLL_NAME_MAX_LENGTH, { description: 'The question.' }),
    poll_options: Type.Array(lines(POLL_OPTION_MAX_LENGTH), {
      minItems: POLL_OPTIONS_MIN,
      maxItems: POLL_OPTIONS_MAX,
      uniqueItems: true,
    }),
    poll_selectable_count: Type.Optional(
      Type.Integer({ minimum: 0, default: 0, description: '1 = single choice, 0 = unlimited.' }),
    ),
  },
  rule: ({ poll_options, poll_selectable_count = 0 }) =>
    poll_selectable_count > poll_options.length
      ? complaint(
          'poll_selectable_count',
          `poll_selectable_count must be an integer between 0 and the number of options (${poll_options.length})`,
        )
      : null,
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '120363041234567890@g.us',
    type: 'poll',
    poll_name: 'When shall we meet?',
    poll_options: ['Tuesday', 'Thursday'],
    poll_selectable_count: 1,
  },
});
