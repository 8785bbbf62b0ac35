/** Events that an endpoint of this interface can be told, by the names under which they are asked for. */
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

/** What an endpoint was told beside its address. */
export interface WebhookOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly byEvents: boolean;
  readonly base64: boolean;
  /** Names as they are asked for. */
  readonly events: readonly string[];
  /** Whoever set it may have the instance's token, which events then carry. */
  readonly tellsToken: boolean;
  readonly updatedAt: number;
}

/** `messages.upsert` → `MESSAGES_UPSERT` */
export function askedName(event: string): string {
  return event === 'groups.update' ? 'GROUP_UPDATE' : event.replaceAll(/[.-]/g, '_').toUpperCase();
}
