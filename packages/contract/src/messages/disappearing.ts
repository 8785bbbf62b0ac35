import Type from 'typebox';
import { oneOf } from '../schema.ts';
import { addressed, sendKind } from './kind.ts';

/** Lifetime of messages in seconds per setting; 0 means unlimited. */
export const DISAPPEARING_SECONDS = { off: 0, '24h': 86_400, '7d': 604_800, '90d': 7_776_000 } as const;
export type DisappearingTimer = keyof typeof DISAPPEARING_SECONDS;

export const disappearing = sendKind({
  kind: 'disappearing',
  plan: 'max',
  label: 'disappearing messages',
  guide:
    'A setting of the chat, not a message: the answer has no `message_id`. One of `off`, `24h`, `7d`, `90d`.',
  title: 'SendDisappearing',
  summary: 'Disappearing timer',
  description: 'Sets the timer of a chat. It is a setting and no message: the answer has no `message_id`.',
  properties: {
    ...addressed,
    type: Type.Literal('disappearing'),
    disappearing_timer: oneOf(['off', '24h', '7d', '90d']),
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'disappearing',
    disappearing_timer: '7d',
  },
});
