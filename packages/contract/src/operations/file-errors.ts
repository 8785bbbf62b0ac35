import type { ErrorCode } from '../errors.ts';

/** Errors of a received file, which is fetched from the network on demand. */
export const inboundErrors = [
  'media_gone',
  'media_damaged',
  'media_beyond_limit',
  'media_offline',
] as const satisfies readonly ErrorCode[];

/** Errors of requests with `media_id` or `media_base64`. */
export const givenFileErrors = [
  'device_not_active',
  'media_not_found',
  'media_storage_exhausted',
  'media_store_unreachable',
  ...inboundErrors,
] as const satisfies readonly ErrorCode[];

/** Errors of requests with a picture, by URL or as a file. */
export const pictureErrors = [
  'media_unavailable',
  'media_too_large',
  'media_of_another_type',
  ...givenFileErrors,
  'picture_unusable',
] as const satisfies readonly ErrorCode[];
