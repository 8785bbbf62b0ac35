import type { proto } from 'baileys';
import type { Content, LinkedDevice, MailboxItem, Message, PhoneNumber } from '../../world/index.ts';
import { lidJid, shownNumber } from '../../world/index.ts';
import { writeContent } from '../content/index.ts';
import type { Rewriter } from '../login/mailbox-delivery.ts';
import type { Network } from '../network.ts';
import { readRetryBundle } from '../signal/bundles.ts';
import type { Outbox } from '../signal/outbox.ts';
import type { Sealer } from '../signal/sealing.ts';
import type { ContentContexts } from '../stanzas/content-contexts.ts';
import { verifiedName } from '../stanzas/usync.ts';
import { child, type Node, node } from '../transport/nodes.ts';
import { messageAddresses } from './addresses.ts';

export interface MessageWriter {
  write(item: MailboxItem, message: Message, device: LinkedDevice): Promise<Node>;
  rewrite: Rewriter;
}

/**
 * Encrypts messages of phones for linked devices: the author's phone encrypts for each of them. A linked device's own message is
 * forwarded instead, see `forwarding.ts`. The ciphertext of each device is stored until the device has answered.
 */
export function createMessageWriter({
  network: { ciphers, world, deviceLists },
  sealer,
  outbox,
  contexts,
}: {
  network: Network;
  sealer: Sealer;
  outbox: Outbox;
  contexts: ContentContexts;
}): MessageWriter {
  const protoOf = (message: Message, device: LinkedDevice): proto.IMessage => {
    const content = writeContent(message.content, contexts.forWriting(message, device));
    const { chat, sender } = message;
    const other = message.fromMe && chat.kind === 'direct' ? chat.person.phone : device.phone;
    const written = {
      ...content,
      messageContextInfo: {
        ...content.messageContextInfo,
        ...deviceLists.metadata(sender.phone, chat.kind === 'direct' ? other : undefined),
      },
    };
    const toOwnDevice = message.fromMe && message.chat.kind === 'direct';
    return toOwnDevice
      ? {
          deviceSentMessage: {
            destinationJid: message.list?.jid ?? contexts.chatJid(message),
            message: written,
          },
          messageContextInfo: written.messageContextInfo,
        }
      : written;
  };

  const isOwn: IsOwn = (phone, messageId) =>
    (world.messages.find(phone, messageId)?.sender.phone ?? phone) === phone;

  const businessName = (phone: PhoneNumber): Node[] => {
    const name = world.phones.get(phone).businessName;
    return name === undefined ? [] : [verifiedName(name)];
  };

  /** In place of the ciphertext, for a message that this device does not get. */
  const hiddenFrom = ({ content }: Message, { sessionId }: LinkedDevice): Node[] | undefined => {
    if ('viewOnce' in content && content.viewOnce) return [node('unavailable', { type: 'view_once' })];
    switch (world.faults.takeUnavailable(sessionId)) {
      case 'unavailable':
        return [node('unavailable')];
      case 'unavailable_hosted':
        return [node('unavailable', { hosted: 'true' })];
      case 'unavailable_bot':
        return [node('unavailable'), node('bot', { biz_bot: '1' })];
      default:
        return undefined;
    }
  };

  return {
    async write(item, message, device) {
      const kept = await outbox.read(item);
      if (kept) return kept;
      const hidden = hiddenFrom(message, device);
      if (hidden) {
        const stanza = node('message', envelopeOf(message, isOwn), [
          ...hidden,
          ...businessName(message.sender.phone),
        ]);
        world.transaction(() => outbox.keep(item, stanza));
        return stanza;
      }
      await contexts.describe(message.content);
      const body = protoOf(message, device);
      return ciphers.as(message.sender.phone, async (cipher) => {
        const { chat, id } = message;
        const envelopes =
          chat.kind === 'direct'
            ? [await sealer.seal(cipher, device, body)]
            : await sealer.sealForGroup({
                cipher,
                author: message.sender.phone,
                group: chat.jid,
                messageId: id,
                to: device,
                message: body,
              });
        const stanza = node('message', envelopeOf(message, isOwn), [
          ...withMediaType(envelopes, message.content),
          ...audience(message),
          ...businessName(message.sender.phone),
        ]);
        cipher.inSameTransaction(() => outbox.keep(item, stanza));
        return stanza;
      });
    },

    async rewrite(item, device, receipt) {
      if (item.news.kind !== 'message') return undefined;
      const { message } = item.news;
      const count = child(receipt, 'retry')?.attrs.count ?? '1';
      return ciphers.as(message.sender.phone, async (cipher) => {
        await sealer.reopen(cipher, device, readRetryBundle(receipt));
        const sealed = await sealer.seal(cipher, device, {
          ...protoOf(message, device),
          ...(message.chat.kind !== 'direct' && {
            senderKeyDistributionMessage: await sealer.senderKey(cipher, message.chat.jid),
          }),
        });
        const stanza = node('message', envelopeOf(message, isOwn), [
          node('enc', { ...sealed.attrs, count, mediatype: mediaType(message.content) }, sealed.content),
        ]);
        cipher.inSameTransaction(() => outbox.keep(item, stanza));
        return stanza;
      });
    },
  };
}

/** Unencrypted attributes of a message: author, chat, time. */
function envelopeOf(message: Message, isOwn: IsOwn): Record<string, string | number | undefined> {
  const { chat, sender, fromMe, list } = message;
  return {
    id: message.id,
    t: Math.floor(message.at / 1000),
    type: stanzaType(message.content),
    edit: editMark(message, isOwn),
    notify: sender.name,
    ...messageAddresses({ id: message.id, chat, author: sender, device: 0, fromMe, list }),
  };
}

/** The people on a broadcast list, for the author's own devices. */
function audience({ fromMe, list }: Message): Node[] {
  if (!fromMe || !list) return [];
  return [
    node(
      'participants',
      {},
      list.people.map((person) =>
        node('to', { jid: lidJid(person.lid), peer_recipient_pn: shownNumber(person) }),
      ),
    ),
  ];
}

function stanzaType(content: Content): string {
  switch (content.type) {
    case 'reaction':
      return 'reaction';
    case 'poll':
    case 'poll_vote':
      return 'poll';
    default:
      return mediaType(content) === undefined ? 'text' : 'media';
  }
}

/** The content itself comes last, after a sender key. */
function withMediaType(envelopes: readonly Node[], content: Content): Node[] {
  const last = envelopes.length - 1;
  return envelopes.map((enc, place) =>
    place === last ? node('enc', { ...enc.attrs, mediatype: mediaType(content) }, enc.content) : enc,
  );
}

/** What the network knows of an encrypted content; undefined for plain text. */
function mediaType(content: Content): string | undefined {
  switch (content.type) {
    case 'image':
    case 'video':
    case 'document':
    case 'sticker':
      return content.type;
    case 'audio':
      return content.voice ? 'ptt' : 'audio';
    case 'location':
      return content.live ? 'livelocation' : 'location';
    case 'contact':
      return content.vcard.split('BEGIN:VCARD').length > 2 ? 'contact_array' : 'vcard';
    case 'group_invite':
      return 'url';
    case 'text':
      return content.linkPreview ? 'url' : undefined;
    default:
      return undefined;
  }
}

const EDITED = 1;
const DELETED = 7;
const DELETED_BY_ADMIN = 8;

/** `isOwn`: whether the recipient is the author of a message. */
function editMark({ content, sender }: Message, isOwn: IsOwn): number | undefined {
  if (content.type === 'edit') return EDITED;
  if (content.type !== 'revoke') return undefined;
  return isOwn(sender.phone, content.target) ? DELETED : DELETED_BY_ADMIN;
}

type IsOwn = (phone: PhoneNumber, messageId: string) => boolean;
