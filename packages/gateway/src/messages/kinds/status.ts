import { kind, needed, sourceOf } from './kind.ts';

export const textStatus = kind('text_status', {
  content: (send) => ({ kind: 'status_text', text: send.text }),
});

export const mediaStatus = kind('media_status', {
  media: (send) => ({ from: sourceOf(send.media_url, send), as: send.status_type }),
  content: (send, fetched) => ({
    kind: 'status_media',
    media: send.status_type,
    file: needed(fetched).file,
    ...(send.caption ? { caption: send.caption } : {}),
  }),
});
