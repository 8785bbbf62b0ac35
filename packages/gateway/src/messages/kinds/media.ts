import { kind, needed, sourceOf } from './kind.ts';
import { replyOrForward } from './reply.ts';

export const media = kind('media', {
  media: (send) => ({ from: sourceOf(send.media_url, send), as: send.media_type }),
  content: (send, fetched) => {
    const { file, fileName } = needed(fetched);
    const beside = replyOrForward(send);
    const caption = send.caption ? { caption: send.caption } : {};
    switch (send.media_type) {
      case 'audio':
        return { kind: 'audio', file, ...beside };
      case 'document':
        return { kind: 'document', file, fileName: send.file_name ?? fileName, ...caption, ...beside };
      default:
        return { kind: send.media_type, file, ...caption, ...beside };
    }
  },
});
