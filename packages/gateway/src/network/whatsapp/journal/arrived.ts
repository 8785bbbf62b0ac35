import { createHash } from 'node:crypto';
import { proto, unpadRandomMax16 } from 'baileys';
import type { NetworkEvent } from '../../events.ts';
import type { StanzaAttrs } from '../convert/head.ts';

/** What the journal keeps of something that came over the wire. */
export type JournalEntry =
  /** A decrypted message, as the ratchet gave it, with the attributes of its stanza. */
  | { readonly kind: 'message'; readonly attrs: StanzaAttrs; readonly plaintext: Uint8Array }
  /** Something that was an event from the start. */
  | { readonly kind: 'event'; readonly event: NetworkEvent };

/** A message without anything in it, padded as the network pads; what is taken already is answered with it. */
export const EMPTY_PLAINTEXT: Uint8Array = Buffer.from([1]);

/** Undefined when the sender wrote garbage. */
export function decodePlaintext(plaintext: Uint8Array): proto.IMessage | undefined {
  try {
    const message = proto.Message.decode(unpadRandomMax16(plaintext));
    const sentByOwnPhone = message.deviceSentMessage?.message;
    if (!sentByOwnPhone) return message;
    return { messageContextInfo: message.messageContextInfo, ...sentByOwnPhone };
  } catch {
    return undefined;
  }
}

export function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
