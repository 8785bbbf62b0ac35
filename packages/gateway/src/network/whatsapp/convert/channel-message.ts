import { type BinaryNode, proto } from 'baileys';
import { readContent } from './inbound.ts';

/** What a channel's message says; both parts are empty when the update carries ids only. */
export function readChannelContent({ content }: BinaryNode): {
  readonly type: string;
  readonly text: string;
} {
  const nothing = { type: '', text: '' };
  const children = Array.isArray(content) ? content : [];
  const plaintext = children.find(({ tag }) => tag === 'plaintext')?.content;
  if (!(plaintext instanceof Uint8Array)) return nothing;
  const read = readContent(decoded(plaintext), NO_HEAD)?.content;
  if (!read) return nothing;
  if ('caption' in read) return { type: read.kind, text: read.caption ?? '' };
  if ('text' in read) return { type: read.kind, text: read.text };
  if (read.kind === 'poll') return { type: read.kind, text: read.name };
  return { type: read.kind, text: '' };
}

/** A channel has no sender whose head could matter to the content. */
const NO_HEAD = {
  messageId: '',
  remoteJid: '',
  chat: '',
  sender: '',
  senderName: '',
  isGroup: false,
  broadcast: false,
  fromMe: false,
  timestamp: 0,
};

function decoded(plaintext: Uint8Array): proto.IMessage {
  try {
    return proto.Message.decode(plaintext);
  } catch {
    return {};
  }
}
