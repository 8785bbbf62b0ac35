import Type from 'typebox';
import { SessionId } from '../primitives.ts';
import { oneOf } from '../schema.ts';
import { Caption, MediaUrl, MessageText, otherSources, sourceComplaint } from './content.ts';
import { sendKind } from './kind.ts';

const audience =
  "Goes to the device's contacts under its own status privacy settings: without contacts the status has no viewers. `to` is not used.";

export const STATUS_TYPES = ['text', 'image', 'video'] as const;

export const textStatus = sendKind({
  kind: 'text_status',
  plan: 'free',
  label: 'text status',
  guide: 'Goes to the contacts of the number, under its own privacy settings. There is no `to`.',
  title: 'SendTextStatus',
  summary: 'Text status (story)',
  description: audience,
  properties: {
    session_id: SessionId,
    type: Type.Literal('status'),
    status_type: Type.Literal('text'),
    text: MessageText,
  },
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    type: 'status',
    status_type: 'text',
    text: 'Open until 8 tonight',
  },
});

export const mediaStatus = sendKind({
  kind: 'media_status',
  plan: 'pro',
  label: 'pictures and videos as status',
  guide: '',
  title: 'SendMediaStatus',
  summary: 'Image or video status (story)',
  description: audience,
  properties: {
    session_id: SessionId,
    type: Type.Literal('status'),
    status_type: oneOf(['image', 'video']),
    media_url: Type.Optional(MediaUrl),
    ...otherSources,
    caption: Type.Optional(Caption),
  },
  rule: (send) => sourceComplaint('media_url', send.media_url, send),
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    type: 'status',
    status_type: 'image',
    media_url: 'https://files.example.com/window.jpg',
    caption: 'New in the window',
  },
});
