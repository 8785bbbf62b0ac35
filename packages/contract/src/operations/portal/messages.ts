import Type from 'typebox';
import {
  ID_MAX_LENGTH,
  MESSAGES_PAGE_DEFAULT,
  MESSAGES_PAGE_MAX,
  SEARCH_MAX_LENGTH,
  USAGE_DAYS_MAX,
} from '../../limits.ts';
import { MessageId, Phone, UnixSeconds } from '../../primitives.ts';
import {
  DailyUsage,
  EventDetail,
  MESSAGE_DIRECTIONS,
  MESSAGE_STATES,
  MessageLife,
  MessagePage,
  NumberUsageList,
} from '../../resources/index.ts';
import { closed, line, oneLine, oneOf } from '../../schema.ts';
import { csvAnswer } from '../billing.ts';
import { operation } from '../operation.ts';
import { onPortal } from './in-portal.ts';

const cursor = line(ID_MAX_LENGTH);
const seen = { ...onPortal, method: 'GET', right: 'see' } as const;
const days = Type.Optional(Type.Integer({ minimum: 1, maximum: USAGE_DAYS_MAX, default: USAGE_DAYS_MAX }));

export const portalMessageOperations = {
  searchMessages: operation({
    ...seen,
    id: 'searchMessages',
    path: '/portal/api/messages',
    summary: 'Search messages, newest first',
    description:
      'Sent messages, as long as their state is kept, or received ones, as far as the event log reaches. Without contents.',
    query: closed({
      direction: Type.Optional(oneOf(MESSAGE_DIRECTIONS, { default: 'out' })),
      phone: Type.Optional(Phone),
      status: Type.Optional(oneOf(MESSAGE_STATES, { description: 'Of what was sent.' })),
      search: Type.Optional(
        Type.String({
          maxLength: SEARCH_MAX_LENGTH,
          ...oneLine,
          description: 'A message id, an Idempotency-Key, or a part of whom it went to or came from.',
        }),
      ),
      from_unix: Type.Optional(UnixSeconds),
      to_unix: Type.Optional(UnixSeconds),
      before: Type.Optional(cursor),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MESSAGES_PAGE_MAX, default: MESSAGES_PAGE_DEFAULT }),
      ),
    }),
    answers: { 200: MessagePage },
    errors: ['device_not_found', 'cursor_invalid'],
  }),
  getMessageLife: operation({
    ...seen,
    id: 'getMessageLife',
    path: '/portal/api/messages/{message_id}',
    summary: 'Get all that is known of a message that was sent',
    description: 'Times of its states, why it waits, and its deliveries.',
    params: closed({ message_id: MessageId }),
    listBound: 'What belongs to one message.',
    answers: { 200: MessageLife },
    errors: ['message_not_found'],
  }),
  getEvent: operation({
    ...seen,
    id: 'getEvent',
    path: '/portal/api/events/{cursor}',
    summary: 'Get an event and its deliveries',
    params: closed({ cursor }),
    listBound: 'The deliveries of one event: one for each webhook.',
    answers: { 200: EventDetail },
    errors: ['cursor_invalid', 'event_not_found'],
  }),
  getDailyUsage: operation({
    ...seen,
    id: 'getDailyUsage',
    path: '/portal/api/usage',
    summary: 'Count messages by day',
    query: closed({ phone: Type.Optional(Phone), days }),
    listBound: '`USAGE_DAYS_MAX`.',
    answers: { 200: DailyUsage },
    errors: ['device_not_found'],
  }),
  getNumberUsage: operation({
    ...seen,
    id: 'getNumberUsage',
    path: '/portal/api/usage/numbers',
    summary: 'Count messages by number',
    query: closed({ days }),
    listBound: 'A line for each number of the account.',
    answers: { 200: NumberUsageList },
    errors: [],
  }),
  exportUsage: operation({
    ...seen,
    ...csvAnswer,
    id: 'exportUsage',
    path: '/portal/api/usage.csv',
    summary: 'Count messages by day and number, as CSV',
    description: 'Days on which a number neither sent nor got anything are left out.',
    query: closed({ phone: Type.Optional(Phone), days }),
    errors: ['device_not_found'],
  }),
};
