import Type from 'typebox';
import { EVENT_KINDS } from '../../events/kinds.ts';
import {
  EVENTS_PAGE_DEFAULT,
  EVENTS_PAGE_MAX,
  ID_MAX_LENGTH,
  REQUEST_LOG_DAYS,
  REQUEST_LOG_MAX_PER_KEY,
  REQUESTS_PAGE_DEFAULT,
  REQUESTS_PAGE_MAX,
  SEARCH_MAX_LENGTH,
} from '../../limits.ts';
import { Phone, ResourceId } from '../../primitives.ts';
import { ActivityPage, ApiRequestList, REQUEST_OUTCOMES } from '../../resources/index.ts';
import { closed, oneLine, oneOf } from '../../schema.ts';
import { operation } from '../operation.ts';
import { onPortal } from './in-portal.ts';

const selection = {
  phone: Type.Optional(Phone),
  kind: Type.Optional(oneOf(EVENT_KINDS)),
};
const cursor = Type.String({ maxLength: ID_MAX_LENGTH, ...oneLine });

export const portalActivityOperations = {
  listActivity: operation({
    ...onPortal,
    id: 'listActivity',
    method: 'GET',
    right: 'see',
    path: '/portal/api/events',
    summary: 'List events, newest first',
    query: closed({
      ...selection,
      before: Type.Optional(cursor),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: EVENTS_PAGE_MAX, default: EVENTS_PAGE_DEFAULT }),
      ),
    }),
    answers: { 200: ActivityPage },
    errors: ['device_not_found', 'cursor_invalid', 'too_many_streams'],
  }),
  streamActivity: operation({
    ...onPortal,
    id: 'streamActivity',
    method: 'GET',
    right: 'see',
    path: '/portal/api/events/stream',
    summary: 'Stream events as they happen',
    description:
      'Server-sent events: `id` is the cursor, `event` the kind, `data` the payload. Begins behind `after` or `Last-Event-ID`, else with what happens next.',
    query: closed({ ...selection, after: Type.Optional(cursor) }),
    headers: Type.Object({ 'Last-Event-ID': Type.Optional(cursor) }),
    answers: { 200: Type.String() },
    answerType: 'text/event-stream',
    errors: ['device_not_found', 'cursor_invalid'],
  }),
  listApiRequests: operation({
    ...onPortal,
    id: 'listApiRequests',
    method: 'GET',
    right: 'see',
    path: '/portal/api/requests',
    summary: 'List what API keys have asked for, newest first',
    description: `Of the last ${REQUEST_LOG_DAYS} days, at most ${REQUEST_LOG_MAX_PER_KEY} of each key, and without what was in the requests. Of a flood only a part is kept; what was refused comes first.`,
    query: closed({
      key_id: Type.Optional(ResourceId),
      outcome: Type.Optional(oneOf(REQUEST_OUTCOMES)),
      search: Type.Optional(
        Type.String({
          maxLength: SEARCH_MAX_LENGTH,
          ...oneLine,
          description: 'What stands in the path, the error or the request id.',
        }),
      ),
      before: Type.Optional(ResourceId),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: REQUESTS_PAGE_MAX, default: REQUESTS_PAGE_DEFAULT }),
      ),
    }),
    answers: { 200: ApiRequestList },
    errors: [],
  }),
};
