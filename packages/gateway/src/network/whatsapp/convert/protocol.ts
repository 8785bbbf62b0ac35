import { proto } from 'baileys';
import type { InboundContent } from '../../content.ts';
import { boundedText } from './bounds.ts';

const { Type } = proto.Message.ProtocolMessage;

/** Protocol messages that a person notices: an edit, a message taken back, another disappearing timer. */
export function protocolContent({ protocolMessage }: proto.IMessage): InboundContent | undefined {
  switch (protocolMessage?.type) {
    case Type.MESSAGE_EDIT: {
      const edited = protocolMessage.editedMessage;
      const text = edited?.conversation ?? edited?.extendedTextMessage?.text ?? edited?.imageMessage?.caption;
      return { kind: 'other', text: boundedText(text ?? '') };
    }
    case Type.REVOKE:
      return protocolMessage.key?.id ? { kind: 'other', text: '' } : undefined;
    case Type.EPHEMERAL_SETTING:
      return { kind: 'other', text: '' };
    default:
      return undefined;
  }
}

/** Messages of the own phone that the library itself must digest: keys and history. */
export function isForTheLibrary({ protocolMessage }: proto.IMessage): boolean {
  switch (protocolMessage?.type) {
    case Type.HISTORY_SYNC_NOTIFICATION:
    case Type.APP_STATE_SYNC_KEY_SHARE:
    case Type.LID_MIGRATION_MAPPING_SYNC:
    case Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE:
      return true;
    default:
      return false;
  }
}
