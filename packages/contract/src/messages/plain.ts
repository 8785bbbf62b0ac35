import Type from 'typebox';
import { NAME_MAX_LENGTH } from '../limits.ts';
import { oneLine } from '../schema.ts';
import { Caption, MediaTypeName, MediaUrl, MessageText, otherSources, sourceComplaint } from './content.ts';
import { addressed, sendKind } from './kind.ts';
import { LinkPreview, linkComplaint, quoteComplaint, replyAndForward } from './quote.ts';

/** Plain messages, which have no `type`. */

export const text = sendKind({
  kind: 'text',
  plan: 'free',
  label: 'text',
  guide: null,
  title: 'SendText',
  summary: 'Text',
  properties: { ...addressed, text: MessageText, ...replyAndForward, link_preview: LinkPreview },
  rule: (send) => quoteComplaint(send) ?? linkComplaint(send),
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    text: 'Your order is ready.',
  },
});

export const media = sendKind({
  kind: 'media',
  plan: 'pro',
  label: 'media',
  guide: null,
  title: 'SendMedia',
  summary: 'Image, video, audio or document',
  description: 'The file is given by exactly one of `media_url`, `media_id` and `media_base64`.',
  properties: {
    ...addressed,
    media_type: MediaTypeName,
    media_url: Type.Optional(MediaUrl),
    ...otherSources,
    caption: Type.Optional(Type.String({ ...Caption, description: 'For image, video and document.' })),
    file_name: Type.Optional(
      Type.String({
        maxLength: NAME_MAX_LENGTH,
        ...oneLine,
        description: 'Display name of a document; by default the name that the file came with.',
      }),
    ),
    ...replyAndForward,
  },
  prepare({ caption, file_name, ...rest }) {
    if (caption !== undefined && rest.media_type !== 'audio') rest.caption = caption;
    if (file_name !== undefined && rest.media_type === 'document') rest.file_name = file_name;
    return { ok: true, value: rest };
  },
  rule: (send) => sourceComplaint('media_url', send.media_url, send) ?? quoteComplaint(send),
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    media_type: 'document',
    media_url: 'https://files.example.com/invoices/1042.pdf',
    caption: 'Your invoice',
    file_name: 'Invoice 1042.pdf',
  },
});
