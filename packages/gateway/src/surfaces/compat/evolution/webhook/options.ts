import { oneLine, TOKEN_MAX_LENGTH } from '@parley/contract';
import type { Static } from 'typebox';
import Type from 'typebox';
import { OptionalFlag, OptionalUrl, Text } from '../fields.ts';

/** Events that an endpoint of this interface can subscribe to. */
export const EVENT_NAMES = [
  'APPLICATION_STARTUP',
  'QRCODE_UPDATED',
  'MESSAGES_SET',
  'MESSAGES_UPSERT',
  'MESSAGES_EDITED',
  'MESSAGES_UPDATE',
  'MESSAGES_DELETE',
  'SEND_MESSAGE',
  'SEND_MESSAGE_UPDATE',
  'CONTACTS_SET',
  'CONTACTS_UPSERT',
  'CONTACTS_UPDATE',
  'PRESENCE_UPDATE',
  'CHATS_SET',
  'CHATS_UPSERT',
  'CHATS_UPDATE',
  'CHATS_DELETE',
  'GROUPS_UPSERT',
  'GROUP_UPDATE',
  'GROUP_PARTICIPANTS_UPDATE',
  'CONNECTION_UPDATE',
  'LABELS_EDIT',
  'LABELS_ASSOCIATION',
  'CALL',
  'TYPEBOT_START',
  'TYPEBOT_CHANGE_STATUS',
  'REMOVE_INSTANCE',
  'LOGOUT_INSTANCE',
] as const;

/** Options of an endpoint beside its address. */
export interface WebhookOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly byEvents: boolean;
  readonly base64: boolean;
  /** Subscribed events. */
  readonly events: readonly string[];
  /** Whether events carry the instance's token: only if the caller that set the webhook may have it. */
  readonly includesToken: boolean;
  readonly updatedAt: number;
}

/** `messages.upsert` → `MESSAGES_UPSERT` */
export function askedName(event: string): string {
  return event === 'groups.update' ? 'GROUP_UPDATE' : event.replaceAll(/[.-]/g, '_').toUpperCase();
}

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

/** Each flag under its old and its new name. */
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

/** Older clients send the fields without the `webhook` object around them. */
export const WebhookBody = Type.Object({ webhook: Type.Optional(WebhookFields), ...fields });
