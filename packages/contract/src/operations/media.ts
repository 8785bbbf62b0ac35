import Type from 'typebox';
import { OUTBOUND_MEDIA_MAX_BYTES, UPLOAD_FORM_MAX_BYTES } from '../limits.ts';
import { MediaId, UnixSeconds } from '../primitives.ts';
import { MediaUploaded } from '../resources/index.ts';
import { closed, oneLine } from '../schema.ts';
import { inboundErrors } from './file-errors.ts';
import { operation } from './operation.ts';

const fileAnswer = {
  answers: { 200: Type.String({ format: 'binary' }) },
  answerType: 'application/octet-stream',
  answersRanges: true,
} as const;

/** A file may have to be fetched from the network first. */
const fileErrors = [
  'media_not_found',
  ...inboundErrors,
  'media_storage_exhausted',
  'network_unreachable',
  'network_timeout',
  'host_unreachable',
  'media_range_invalid',
  'media_store_unreachable',
] as const;

export const mediaOperations = {
  uploadMedia: operation({
    id: 'uploadMedia',
    method: 'POST',
    path: '/v1/media',
    summary: 'Upload a file',
    description: [
      'The file is the body itself, with its own `Content-Type`, or the one file of a `multipart/form-data`; at most 64 MB. It is kept for 30 days, encrypted, and for longer while a send that was accepted still needs it.',
      '',
      'The same file again is stored once and gets a new id. An account without an active number keeps no files.',
    ].join('\n'),
    tag: 'Media',
    surface: 'v1',
    permission: 'messages',
    limits: [],
    takesFile: true,
    bodyMaxBytes: OUTBOUND_MEDIA_MAX_BYTES + UPLOAD_FORM_MAX_BYTES,
    answers: { 201: MediaUploaded },
    errors: [
      'device_not_active',
      'media_empty',
      'media_type_invalid',
      'upload_form_invalid',
      'upload_incomplete',
      'upload_too_large',
      'media_storage_exhausted',
      'too_many_uploads',
      'media_store_unreachable',
    ],
    sdk: 'media',
    mcp: { tool: false, because: 'A tool that sends takes the file in its own arguments.' },
    cli: ['media upload'],
    run: { keeps: { media_id: 'media_id' } },
  }),
  getMedia: operation({
    id: 'getMedia',
    method: 'GET',
    path: '/v1/media/{id}',
    summary: 'Download a file',
    description: [
      'A file that was uploaded, or that came with a message (`media.id`). Takes `Range` and `If-None-Match`.',
      '',
      'A file of a message is fetched from the network on request, whole and checked before the first byte is answered; a file that the network has dropped is requested from the phone once more. It is stored for an hour then, or for as long as the message where the number keeps its conversations with `media`. Ids of messages that are not kept are good for 30 days.',
    ].join('\n'),
    tag: 'Media',
    surface: 'v1',
    permission: 'messages',
    limits: [],
    subject: 'media',
    params: closed({ id: MediaId }),
    ...fileAnswer,
    errors: fileErrors,
    sdk: 'media.download',
    mcp: { tool: true, foreignText: true },
    cli: ['media get'],
    run: {},
  }),
  getSignedMedia: operation({
    id: 'getSignedMedia',
    method: 'GET',
    path: '/v1/media/{id}/file',
    summary: 'Download a file by its link',
    description:
      'Target of `media.url` of a message: works without a key until the link expires, for this one file. Otherwise as `GET /v1/media/{id}`.',
    tag: 'Media',
    surface: 'signed',
    limits: [],
    params: closed({ id: MediaId }),
    query: closed({
      expires: UnixSeconds,
      signature: Type.String({
        minLength: 1,
        maxLength: 64,
        ...oneLine,
        examples: ['9wU0uJ3mHq0jv0q8XbZ0m1k5u2oYt7n4'],
      }),
    }),
    ...fileAnswer,
    errors: [
      'media_link_invalid',
      'media_link_expired',
      'account_suspended',
      'tos_not_accepted',
      ...fileErrors,
    ],
  }),
};
