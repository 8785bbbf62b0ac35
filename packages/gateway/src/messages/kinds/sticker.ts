import { kind, needed, sourceOf } from './kind.ts';

export const sticker = kind('sticker', {
  media: (send) => ({ from: sourceOf(send.sticker_url, send), as: 'sticker' }),
  content: (_send, fetched) => ({ kind: 'sticker', file: needed(fetched).file }),
});
