import Type from 'typebox';
import { HttpUrl } from '../primitives.ts';
import { complaint } from '../validate/complaint.ts';
import { otherSources, sourceComplaint } from './content.ts';
import { addressed, sendKind } from './kind.ts';

/** URL whose path has the ending of another file type. Without an ending, the downloaded bytes decide. */
const OTHER_FILE_TYPE = /^[^?#]*\/[^/?#]*\.(?!webp(?:[?#]|$))[A-Za-z0-9]{1,5}(?:[?#]|$)/i;

export const sticker = sendKind({
  kind: 'sticker',
  plan: 'pro',
  label: 'stickers',
  guide: 'A `.webp` file, still or animated.',
  title: 'SendSticker',
  summary: 'Sticker',
  properties: {
    ...addressed,
    type: Type.Literal('sticker'),
    sticker_url: Type.Optional(
      Type.String({
        ...HttpUrl,
        description: 'Public URL of a `.webp` file, still or animated.',
      }),
    ),
    ...otherSources,
  },
  rule: (send) =>
    OTHER_FILE_TYPE.test(send.sticker_url ?? '')
      ? complaint('sticker_url', 'sticker_url must point to a .webp file')
      : sourceComplaint('sticker_url', send.sticker_url, send),
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'sticker',
    sticker_url: 'https://files.example.com/stickers/wave.webp',
  },
});
