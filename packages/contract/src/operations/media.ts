import Type from 'typebox';
import { MediaId } from '../primitives.ts';
import { MediaUploaded } from '../resources/index.ts';
import { closed } from '../schema.ts';
import { operation } from './operation.ts';

export const mediaOperations = {
  uploadMedia: operation({
    id: 'uploadMedia',
    method: 'POST',
    path: '/v1/media',
    summary: 'Upload a file',
    description: [
      'The file is the body itself, with its own `Content-Type`, or the one file of a `multipart/form-data`; at most 64 MB. It is kept for 30 days, encrypted, and for longer while a send that was accepted still needs it.',
      '',
      'The same file again is stored once and gets a new id.',
    ].join('\n'),
    tag: 'Media',
    surface: 'v1',
    permission: 'messages',
    limits: [],
    takesFile: true,
    answers: { 201: MediaUploaded },
    errors: [
      'media_empty',
      'media_type_invalid',
      'upload_form_invalid',
      'upload_incomplete',
      'upload_too_large',
      'media_storage_exhausted',
      'too_many_uploads',
      'media_store_unreachable',
    ],
  }),
  getMedia: operation({
    id: 'getMedia',
    method: 'GET',
    path: '/v1/media/{id}',
    summary: 'Download a file',
    description: 'A file that was uploaded. Takes `Range` and `If-None-Match`.',
    tag: 'Media',
    surface: 'v1',
    permission: 'messages',
    limits: [],
    subject: 'media',
    params: closed({ id: MediaId }),
    answers: { 200: Type.String({ format: 'binary' }) },
    answerType: 'application/octet-stream',
    answersRanges: true,
    errors: ['media_range_invalid', 'media_store_unreachable'],
  }),
};
