import Type from 'typebox';
import { ERRORS } from '../errors.ts';
import { CAPTION_MAX_LENGTH, TEXT_MAX_LENGTH } from '../limits.ts';
import { MEDIA_TYPES } from '../media-types.ts';
import { HttpUrl } from '../primitives.ts';
import { oneOf, words } from '../schema.ts';
import { type Complaint, complaint } from '../validate/complaint.ts';

/** Text and media, as plain messages and channel posts both carry them. */

export const MessageText = words(TEXT_MAX_LENGTH, {
  description: 'Message text.',
  examples: ['Your order is ready.'],
});
export const MediaTypeName = oneOf(MEDIA_TYPES);
export const MediaUrl = Type.String({
  ...HttpUrl,
  description: 'Public URL of the file, at most 64 MB. The gateway downloads and uploads it.',
});
export const Caption = Type.String({ maxLength: CAPTION_MAX_LENGTH });

type PlainContent = { text?: unknown; media_type?: unknown; media_url?: unknown };

/** Either words or a file: media has its own words in `caption`, so a text beside it would silently be lost. */
export function plainContentComplaint({ text, media_type, media_url }: PlainContent): Complaint | null {
  if ((media_type === undefined) !== (media_url === undefined)) {
    const missing = media_type === undefined ? 'media_type' : 'media_url';
    return complaint(missing, ERRORS.media_pair_incomplete.text);
  }
  if (media_type === undefined && text === undefined) {
    return complaint('text', 'text, or media_type and media_url, is required');
  }
  if (media_type !== undefined && text !== undefined) {
    return complaint('text', 'text cannot be sent together with media_url; use caption');
  }
  return null;
}
