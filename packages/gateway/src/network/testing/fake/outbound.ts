import type { BubbleMarks, ChannelContent, Content, LinkedDevice, Quote, World } from '@parley/sandbox/world';
import type { Random } from '#kernel';
import { isVoice, type OutboundContent, type Quote as PortQuote } from '../../content.ts';
import type { ChannelMessage } from '../../operations.ts';
import { upload } from './media.ts';

export interface Author {
  readonly world: World;
  readonly device: LinkedDevice;
  readonly random: Random;
}

/** The content that the virtual phones will show. */
export async function toWorldContent(
  { world, device, random }: Author,
  content: OutboundContent,
): Promise<Content> {
  switch (content.kind) {
    case 'text':
      return {
        type: 'text',
        text: content.text,
        ...(content.linkPreview && { linkPreview: { ...content.linkPreview } }),
        ...marks(world, content),
      };
    case 'status_text':
      return { type: 'text', text: content.text };
    case 'image':
    case 'video':
      return {
        type: content.kind,
        media: await upload(world, content.file),
        caption: content.caption,
        ...marks(world, content),
      };
    case 'status_media':
      return { type: content.media, media: await upload(world, content.file), caption: content.caption };
    case 'audio':
      return {
        type: 'audio',
        media: await upload(world, content.file),
        ...(isVoice(content.file) ? { voice: true } : {}),
        ...marks(world, content),
      };
    case 'document':
      return {
        type: 'document',
        media: await upload(world, content.file),
        fileName: content.fileName,
        caption: content.caption,
        ...marks(world, content),
      };
    case 'sticker':
      return { type: 'sticker', media: await upload(world, content.file) };
    case 'reaction':
      return { type: 'reaction', target: content.target.messageId, emoji: content.emoji };
    case 'revoke':
      return { type: 'revoke', target: content.target.messageId };
    case 'edit':
      return { type: 'edit', target: content.targetId, text: content.text };
    case 'poll':
      return {
        type: 'poll',
        name: content.name,
        options: [...content.options],
        selectableCount: content.selectableCount,
        secret: Buffer.from(random.bytes(32)).toString('base64'),
      };
    case 'group_invite': {
      const code = world.groups.inviteCode(device, content.group);
      const { name } = world.groups.get(device, content.group);
      return { type: 'group_invite', group: content.group, code, name, caption: content.caption };
    }
    default:
      return convertedKind(content);
  }
}

type Retyped<C> = C extends { kind: infer K } ? Omit<C, 'kind'> & { type: K } : never;

/** A kind whose fields are the same in port and world. */
function convertedKind<C extends OutboundContent>({ kind, ...fields }: C): Retyped<C> {
  return { type: kind, ...fields } as unknown as Retyped<C>;
}

export async function toChannelContent(
  world: World,
  content: ChannelMessage['content'],
): Promise<ChannelContent> {
  switch (content.kind) {
    case 'text':
      return { type: 'text', text: content.text };
    case 'audio':
      return { type: 'audio', media: await upload(world, content.file) };
    case 'document':
      return {
        type: 'document',
        media: await upload(world, content.file),
        fileName: content.fileName ?? '',
        caption: content.caption,
      };
    case 'image':
    case 'video':
      return { type: content.kind, media: await upload(world, content.file), caption: content.caption };
  }
}

function marks(
  world: World,
  {
    quote,
    forwarded,
    mentions = [],
  }: { quote?: PortQuote; forwarded?: boolean; mentions?: readonly string[] },
): BubbleMarks {
  const named = mentions.flatMap((jid) => world.phones.find(jid)?.phone ?? []);
  return {
    quote: quote && toQuote(world, quote),
    forwarded,
    ...(named.length > 0 && { mentions: named }),
  };
}

function toQuote(world: World, { messageId, participant, text }: PortQuote): Quote {
  return {
    id: messageId,
    sender: participant === undefined ? undefined : world.phones.find(participant)?.phone,
    text: text ?? '',
  };
}
