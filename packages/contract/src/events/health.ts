import Type from 'typebox';
import { HEALTH_ADVICE, HEALTH_STATES, standingFields } from '../resources/health.ts';
import { oneOf } from '../schema.ts';
import { EventTime, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

export const healthEvent = eventKind({
  kind: 'health',
  category: 'connection',
  chat: null,
  extension: 'health',
  guide: 'the health of the number with the network has changed',
  label: 'Health',
  title: 'HealthEvent',
  description:
    'How a number stands with the network has changed: its state, a restriction, or the warning of its new-chat quota. For webhooks with `extensions: ["health"]`.',
  properties: {
    session_id: SessionJid,
    previous_state: oneOf(HEALTH_STATES, {
      description: 'What the state was before; the same when something else has changed.',
    }),
    ...standingFields,
    advice: Type.Array(oneOf(HEALTH_ADVICE)),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    previous_state: 'healthy',
    state: 'restricted',
    since_unix: 1_784_365_200,
    until_unix: 1_784_451_600,
    restriction: {
      kind: 'reachout_timelock',
      type: 'RESTRICT_ALL_COMPANIONS',
      ends_unix: 1_784_451_600,
    },
    new_chats: { quota: 40, used: 40, cycle_ends_unix: 1_784_451_600, warning: 'capped' },
    advice: ['stop_new_chats', 'wait_until'],
    timestamp_unix: 1_784_365_200,
  },
});
