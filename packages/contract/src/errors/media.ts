import {
  MEDIA_OFFLINE_RETRY_AFTER_SECONDS,
  MEDIA_STORE_RETRY_AFTER_SECONDS,
  MEDIA_UPLOADS_RETRY_AFTER_SECONDS,
} from '../limits.ts';
import type { ErrorDefinition } from './error-type.ts';

export const mediaErrors = {
  media_not_found: {
    status: 404,
    text: 'media not found',
    advice: 'The id is wrong, belongs to another account, or the file was kept long enough. Upload it again.',
  },
  media_empty: {
    status: 400,
    text: 'file is empty',
    advice: 'The request had no body, or a form with an empty file.',
  },
  upload_too_large: {
    status: 413,
    text: 'file is larger than 64 MB',
    advice: 'The network would refuse it too. Make it smaller, or send a link.',
  },
  upload_incomplete: {
    status: 400,
    text: 'file did not arrive whole',
    advice: 'The connection broke, or stood still for 30 seconds. Nothing was kept; upload it again.',
  },
  upload_form_invalid: {
    status: 400,
    text: 'form must be multipart/form-data with exactly one file',
    advice: 'Send the file as the body itself, or a form with one file and nothing after it.',
  },
  media_type_invalid: {
    status: 400,
    text: 'content type of the file must be a media type such as image/png',
    advice: 'Give `Content-Type` as in `image/png`, or leave it away: then the bytes decide.',
  },
  media_offline: {
    status: 503,
    text: 'number is not online, and its file is not kept here; retry later',
    retryAfterSeconds: MEDIA_OFFLINE_RETRY_AFTER_SECONDS,
    advice:
      'The file is on the network, and its number must be connected to fetch it. `Retry-After` says when to ask again.',
  },
  media_gone: {
    status: 410,
    text: 'neither the network nor the gateway has the file any more',
    advice:
      'The network keeps files for some weeks, and the phone that sent it does not have it any more either. Switch on the history of the number with `media`: then files are kept here.',
  },
  media_damaged: {
    status: 502,
    text: 'the network gave something else than the file that was sent',
    advice:
      'What the network gave does not fit the key or the hash in the message. Asking again seldom helps.',
  },
  media_beyond_limit: {
    status: 413,
    text: 'file is larger than 2 GB',
    advice: 'The network itself carries no file that is larger, so it claims to be what it is not.',
  },
  media_link_invalid: {
    status: 403,
    text: 'link is not valid',
    advice: 'The link was changed, cut off, or not made by this gateway. Take `media.url` as it is.',
  },
  media_link_expired: {
    status: 410,
    text: 'link has expired; ask for a new one',
    advice:
      'Read the message again for a new link, or use `GET /v1/media/{id}` with a key, which does not expire so soon.',
  },
  media_range_invalid: {
    status: 416,
    text: 'range lies outside the file',
    advice: 'The file is shorter. Its size is in `Content-Range` of this answer.',
  },
  media_store_unreachable: {
    status: 503,
    text: 'gateway could not reach its media store; retry later',
    retryAfterSeconds: MEDIA_STORE_RETRY_AFTER_SECONDS,
    advice: 'The folder or bucket of `PARLEY_MEDIA_URL` does not answer. Nothing was kept.',
  },
  media_storage_exhausted: {
    status: 429,
    text: 'media storage of this account is exhausted',
    advice:
      'Files go 30 days after they were given. Send the same file by its id instead of uploading copies of it that differ.',
  },
  too_many_uploads: {
    status: 429,
    text: 'too many concurrent uploads for this account; retry shortly',
    retryAfterSeconds: MEDIA_UPLOADS_RETRY_AFTER_SECONDS,
    advice: 'Eight uploads of this account are under way already. Queue them on your side.',
  },
} as const satisfies Record<string, ErrorDefinition>;
