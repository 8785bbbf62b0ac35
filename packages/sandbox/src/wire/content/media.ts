import type { proto } from 'baileys';
import type { BubbleMarks, MediaRef } from '../../world/index.ts';
import {
  type ContentCodec,
  type MediaFields,
  type MediaKind,
  type ReadContext,
  readMarks,
  writeMarks,
} from './content-codec.ts';

interface AnyMedia extends MediaFields {
  caption?: string | null;
  viewOnce?: boolean | null;
  contextInfo?: proto.IContextInfo | null;
}

const image: ContentCodec<'image'> = {
  write: (content, context) =>
    hiddenAfterView(content.viewOnce, {
      imageMessage: {
        ...context.shareMedia(content.media, 'image'),
        caption: content.caption,
        viewOnce: content.viewOnce,
        contextInfo: writeMarks(content, context),
      },
    }),
  read(message, context) {
    const common = readMedia(message.imageMessage, 'image', context);
    return common && { type: 'image', ...common };
  },
};

const video: ContentCodec<'video'> = {
  write: (content, context) =>
    hiddenAfterView(content.viewOnce, {
      videoMessage: {
        ...context.shareMedia(content.media, 'video'),
        caption: content.caption,
        viewOnce: content.viewOnce,
        contextInfo: writeMarks(content, context),
      },
    }),
  read(message, context) {
    const common = readMedia(message.videoMessage ?? message.ptvMessage, 'video', context);
    return common && { type: 'video', ...common };
  },
};

const audio: ContentCodec<'audio'> = {
  write: (content, context) =>
    hiddenAfterView(content.viewOnce, {
      audioMessage: {
        ...context.shareMedia(content.media, 'audio'),
        ptt: content.voice,
        viewOnce: content.viewOnce,
        contextInfo: writeMarks(content, context),
      },
    }),
  read(message, context) {
    const common = readMedia(message.audioMessage, 'audio', context);
    return common && { type: 'audio', ...common, ...(message.audioMessage?.ptt && { voice: true }) };
  },
};

const document: ContentCodec<'document'> = {
  write(content, context) {
    const documentMessage = {
      ...context.shareMedia(content.media, 'document'),
      fileName: content.fileName,
      caption: content.caption,
      contextInfo: writeMarks(content, context),
    };
    return content.caption
      ? { documentWithCaptionMessage: { message: { documentMessage } } }
      : { documentMessage };
  },
  read(message, context) {
    const common = readMedia(message.documentMessage, 'document', context);
    return common && { type: 'document', ...common, fileName: message.documentMessage?.fileName ?? '' };
  },
};

const sticker: ContentCodec<'sticker'> = {
  write: (content, context) => ({
    stickerMessage: {
      ...context.shareMedia(content.media, 'sticker'),
      contextInfo: writeMarks(content, context),
    },
  }),
  read(message, context) {
    const common = readMedia(message.stickerMessage, 'sticker', context);
    return common && { type: 'sticker', ...common };
  },
};

function hiddenAfterView(viewOnce: boolean | undefined, message: proto.IMessage): proto.IMessage {
  return viewOnce ? { viewOnceMessageV2: { message } } : message;
}

interface MediaCommon extends BubbleMarks {
  media: MediaRef;
  caption?: string;
  viewOnce?: boolean;
}

function readMedia(
  fields: AnyMedia | null | undefined,
  kind: MediaKind,
  context: ReadContext,
): MediaCommon | undefined {
  const media = fields ? context.takeMedia(fields, kind) : undefined;
  if (!fields || !media) return undefined;
  return {
    media,
    ...(fields.caption && { caption: fields.caption }),
    ...(fields.viewOnce && { viewOnce: true }),
    ...readMarks(fields.contextInfo, context),
  };
}

/** Messages with files. */
export const media = { image, video, audio, document, sticker };
