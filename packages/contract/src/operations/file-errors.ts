import type { ErrorCode } from '../errors.ts';

/** How a file that came with a message may not be had: it is fetched from the network when it is needed. */
export const inboundErrors = [
  'media_gone',
  'media_damaged',
  'media_beyond_limit',
  'media_offline',
] as const satisfies readonly ErrorCode[];

/** Of whatever takes `media_id` or `media_base64`. */
export const givenFileErrors = [
  'device_not_active',
  'media_not_found',
  'media_storage_exhausted',
  'media_store_unreachable',
  ...inboundErrors,
] as const satisfies readonly ErrorCode[];

/** Of whatever takes a picture, by address or as a file. */
export const pictureErrors = [
  'media_unavailable',
  'media_too_large',
  'media_of_another_type',
  ...givenFileErrors,
  'picture_unusable',
] as const satisfies readonly ErrorCode[];
