import { oneLine, TOKEN_MAX_LENGTH } from '@parley/contract';
import Type, { type Static } from 'typebox';
import { OptionalFlag, OptionalUrl, Text } from '../fields.ts';

const HEADERS_MAX = 50;
export const HEADER_NAME_MAX_LENGTH = 100;
const EVENTS_MAX = 64;

const HeaderValue = Type.Union([
  Type.String({ maxLength: TOKEN_MAX_LENGTH, ...oneLine }),
  Type.Number(),
  Type.Boolean(),
]);
const Headers = Type.Record(Type.String({ maxLength: HEADER_NAME_MAX_LENGTH }), HeaderValue, {
  maxProperties: HEADERS_MAX,
});

/** Under both of the names that flags have had. */
const fields = {
  enabled: OptionalFlag,
  url: OptionalUrl,
  headers: Type.Optional(Headers),
  events: Type.Optional(Type.Array(Text(64), { maxItems: EVENTS_MAX })),
  byEvents: OptionalFlag,
  webhookByEvents: OptionalFlag,
  base64: OptionalFlag,
  webhookBase64: OptionalFlag,
};

export const WebhookFields = Type.Object(fields);
export type WebhookGiven = Static<typeof WebhookFields>;

/** Clients of before write the fields without `webhook` around them. */
export const WebhookBody = Type.Object({ webhook: Type.Optional(WebhookFields), ...fields });
