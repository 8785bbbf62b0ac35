import type { EventOf, PublicEvent } from '@parley/contract';
import type { CodeListener } from '../instance/pairing.ts';
import type { Instance } from '../instances.ts';
import { ACKS, keyOf, messageObject } from '../message/object.ts';

/** An event in the format of this interface. */
export interface TranslatedEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Undefined for events that this interface does not have. */
export function translate(
  event: PublicEvent | CodeListener,
  instance: Instance,
  { base64 }: { readonly base64: boolean },
): TranslatedEvent | undefined {
  const instanceId = instance.number.slotId;
  switch (event.kind) {
    case 'message':
      return messageEvent(event, instanceId, base64);
    case 'status':
      return update(event.message_id, event.to, ACKS[event.status], instanceId);
    case 'receipt':
      return update(event.network_message_id, event.recipient_jid, ACKS[event.receipt_type], instanceId);
    case 'connection':
      return 'qr' in event ? codeEvent(event, instance) : connectionEvent(event, instance);
    case 'presence':
      return presence(event.contact_jid, event.contact_jid, {
        lastKnownPresence: event.online ? 'available' : 'unavailable',
        ...(event.last_seen_unix && { lastSeen: event.last_seen_unix }),
      });
    case 'typing': {
      const doing = event.media === 'audio' ? 'recording' : 'composing';
      return presence(event.chat_jid, event.sender_jid, {
        lastKnownPresence: event.typing ? doing : 'paused',
      });
    }
    case 'call':
      return { event: 'call', data: callOf(event) };
    case 'group':
      return groupEvent(event);
    case 'contact':
      return { event: 'contacts.update', data: [{ remoteJid: event.contact_jid, instanceId }] };
    case 'contact_linked':
      return {
        event: 'contacts.upsert',
        data: [{ remoteJid: event.jid, pushName: null, profilePicUrl: null, instanceId }],
      };
    case 'chat':
      return {
        event: event.event === 'deleted' ? 'chats.delete' : 'chats.update',
        data: event.event === 'deleted' ? [event.chat_jid] : [{ remoteJid: event.chat_jid, instanceId }],
      };
    default:
      return undefined;
  }
}

function messageEvent(
  message: EventOf<'message'>,
  instanceId: string,
  base64: boolean,
): TranslatedEvent | undefined {
  // Evolution shows neither answers to events nor updates that it cannot decrypt.
  if (message.event_response ?? message.unreadable_update) return undefined;
  const key = keyOf(message);
  if (message.revoked_message_id) {
    return {
      event: 'messages.delete',
      data: { ...key, id: message.revoked_message_id, status: 'DELETED', instanceId },
    };
  }
  if (message.edited_message_id) {
    const isPoll = message.type === 'poll';
    const editedMessage = isPoll
      ? messageObject(message, { instanceId }).message
      : { conversation: message.text };
    const data = {
      key: { ...key, id: message.edited_message_id },
      type: 'MESSAGE_EDIT',
      editedMessage,
      instanceId,
    };
    return { event: 'messages.edited', data };
  }
  const status = message.from_me ? 'SERVER_ACK' : 'DELIVERY_ACK';
  const data = messageObject(message, { instanceId, status, base64 });
  return { event: message.request_id === undefined ? 'messages.upsert' : 'send.message', data };
}

/** Only messages that were sent through the API; public events have no progress for others. */
function update(id: string, remoteJid: string, status: string, instanceId: string): TranslatedEvent {
  return {
    event: 'messages.update',
    data: { messageId: id, keyId: id, remoteJid, fromMe: true, participant: undefined, status, instanceId },
  };
}

function codeEvent({ qr: { pairingCode, code, base64 } }: CodeListener, { name }: Instance): TranslatedEvent {
  return { event: 'qrcode.updated', data: { qrcode: { instance: name, pairingCode, code, base64 } } };
}

function connectionEvent(event: EventOf<'connection'>, { name, number }: Instance): TranslatedEvent {
  const open = event.event === 'connected';
  return {
    event: 'connection.update',
    data: {
      instance: name,
      state: open ? 'open' : event.event === 'disconnected' ? 'connecting' : 'close',
      statusReason: open ? 200 : event.event === 'logged_out' ? 401 : 408,
      ...(open && { wuid: `${number.phone}@s.whatsapp.net`, profileName: null, profilePictureUrl: null }),
    },
  };
}

function presence(id: string, of: string, state: object): TranslatedEvent {
  return { event: 'presence.update', data: { id, presences: { [of]: state } } };
}

function callOf({ call_id, from_jid, event, video, rejected, timestamp_unix }: EventOf<'call'>): object {
  return {
    id: call_id,
    chatId: from_jid,
    from: from_jid,
    isVideo: video,
    isGroup: false,
    status: rejected ? 'reject' : event,
    date: new Date(timestamp_unix * 1_000).toISOString(),
    offline: false,
  };
}

const ACTIONS: Readonly<Record<string, string>> = {
  joined: 'add',
  added: 'add',
  left: 'remove',
  removed: 'remove',
  promoted: 'promote',
  demoted: 'demote',
};

function groupEvent(event: EventOf<'group'>): TranslatedEvent {
  const action = ACTIONS[event.event];
  const people = event.participants ?? [];
  if (action)
    return {
      event: 'group-participants.update',
      data: {
        id: event.chat_jid,
        author: event.by_jid,
        participants: people.map(({ jid }) => jid),
        action,
        participantsData: people.map(({ jid, phone_jid }) => ({
          jid,
          phoneNumber: phone_jid ?? jid.replace(/@.*/, ''),
        })),
      },
    };
  const { chat_jid, subject, description, announce, locked } = event;
  return {
    event: 'groups.update',
    data: [{ id: chat_jid, subject, desc: description, announce, restrict: locked }],
  };
}
