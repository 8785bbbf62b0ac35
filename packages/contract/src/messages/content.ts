import Type from 'typebox';
import { ERRORS } from '../errors.ts';
import { CAPTION_MAX_LENGTH, REQUEST_BODY_MAX_BYTES, TEXT_MAX_LENGTH } from '../limits.ts';
import { MEDIA_TYPES } from '../media-types.ts';
import { HttpUrl, MediaId } from '../primitives.ts';
import { EXPECTS, lines, oneOf, severalLines } from '../schema.ts';
import { type Complaint, complaint } from '../validate/complaint.ts';

/** Text and media, shared by plain messages and channel posts. */

export const MessageText = lines(TEXT_MAX_LENGTH, {
  description: 'Message text.',
  examples: ['Your order is ready.'],
});
export const MediaTypeName = oneOf(MEDIA_TYPES);
export const MediaUrl = Type.String({
  ...HttpUrl,
  description: 'Public URL of the file, at most 64 MB. The gateway downloads and uploads it.',
});
/** Other sources of a file; exactly one source is given. */
export const otherSources = {
  media_id: Type.Optional(
    Type.String({
      ...MediaId,
      description: 'Instead of the URL: a file that was uploaded.',
    }),
  ),
  media_base64: Type.Optional(
    Type.String({
      maxLength: REQUEST_BODY_MAX_BYTES,
      // Checked as a whole by the base64 rule.
      ...severalLines,
      description:
        'Instead of the URL: a small file itself, in standard base64. Larger ones are uploaded first.',
    }),
  ),
  mimetype: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: '^[a-z0-9][\\w.+-]*/[a-z0-9][\\w.+-]*(?:; ?codecs=[\\w.+-]+)?$',
      description: 'With `media_base64`, and there required.',
      examples: ['image/png'],
      [EXPECTS]: 'a media type such as image/png',
    }),
  ),
};

interface OtherSources {
  readonly media_id?: string;
  readonly media_base64?: string;
  readonly mimetype?: string;
}

/** Content of a channel post. */
export interface PostSource extends OtherSources {
  readonly text?: string;
  readonly media_type?: string;
  readonly media_url?: string;
}

/** Body of a request that sets a picture. */
export interface PictureSource extends OtherSources {
  readonly image_url?: string;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Requires exactly one source. The name of the URL field differs between requests. */
export function sourceComplaint(
  urlField: string,
  url: string | undefined,
  { media_id, media_base64, mimetype }: OtherSources,
): Complaint | null {
  const given = Object.entries({ [urlField]: url, media_id, media_base64 }).filter(
    ([, source]) => source !== undefined,
  );
  if (given.length === 0) return complaint(urlField, `${urlField} is required`);
  if (given.length > 1) {
    return complaint(
      given[1]?.[0] ?? urlField,
      `only one of ${urlField}, media_id and media_base64 can be given`,
    );
  }
  if (media_base64 === undefined) {
    return mimetype === undefined ? null : complaint('mimetype', 'mimetype is given with media_base64 only');
  }
  if (mimetype === undefined) return complaint('mimetype', 'mimetype is required with media_base64');
  return media_base64.length % 4 === 0 && BASE64.test(media_base64)
    ? null
    : complaint('media_base64', 'media_base64 must be standard base64');
}

export const Caption = Type.String({ maxLength: CAPTION_MAX_LENGTH, ...severalLines });

type PlainContent = { text?: unknown; media_type?: unknown; media_url?: unknown };

/** Either text or a file. The text of media is its `caption`; a `text` beside it would silently be lost. */
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

/** Either text, or a file from exactly one source. */
export function postComplaint(post: PostSource): Complaint | null {
  const { text, media_type, media_url, media_id, media_base64 } = post;
  const source = media_url ?? media_id ?? media_base64;
  const wrong = plainContentComplaint({ text, media_type, media_url: source });
  if (wrong || source === undefined) return wrong;
  return sourceComplaint('media_url', media_url, post);
}
