import Type from 'typebox';
import { kept, oneOf } from '../schema.ts';
import { EventTime, SessionJid } from './fields.ts';
import { eventKind } from './kind.ts';

const HISTORY_EVENTS = ['progress', 'done', 'failed'] as const;
const HISTORY_TYPES = ['initial', 'recent', 'full', 'on_demand'] as const;

export const historyEvent = eventKind({
  kind: 'history',
  category: 'events',
  chat: null,
  extension: 'history',
  guide:
    'progress of importing [past conversations](conversations.md#the-past) of a number that keeps them: `progress`, `done` or `failed`, with counts',
  label: 'History',
  title: 'HistoryEvent',
  description:
    'How far the past that the phone sent has been taken in, for a number that keeps its conversations. Needs `history` in `extensions`.',
  properties: {
    session_id: SessionJid,
    event: oneOf(HISTORY_EVENTS, {
      description:
        '`progress`: some of a part was taken in. `done`: all of it. `failed`: the rest can never be read.',
    }),
    sync_type: oneOf(HISTORY_TYPES, {
      description:
        '`initial`: the latest of every chat. `recent`, `full`: what was before. `on_demand`: what was asked for.',
    }),
    progress: Type.Optional(
      Type.Integer({
        ...kept,
        minimum: 0,
        maximum: 100,
        description: 'In percent of all that the phone sends, as it says itself.',
      }),
    ),
    chats: Type.Integer({ ...kept, description: 'Of this part, so far.' }),
    messages: Type.Integer({ ...kept, description: 'Of this part, so far.' }),
    timestamp_unix: EventTime,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    event: 'done',
    sync_type: 'recent',
    progress: 100,
    chats: 12,
    messages: 1_800,
    timestamp_unix: 1_784_365_200,
  },
});
