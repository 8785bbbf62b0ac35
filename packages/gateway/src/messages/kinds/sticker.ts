import { kind, needed } from './kind.ts';

export const sticker = kind('sticker', {
  media: (send) => ({ url: send.sticker_url, as: 'sticker' }),
  content: (_send, fetched) => ({ kind: 'sticker', file: needed(fetched).file }),
});
