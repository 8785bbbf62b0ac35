import { INLINE_MEDIA_MAX_BYTES, type InboundMedia as PublicMedia } from '@parley/contract';
import type { Gate } from '#kernel';
import type { InboundMedia, NetworkSession } from '#network';
import { extensionOf } from './extension.ts';

/** Fetches the file that came with a message and puts it into the event, unless it is too large or cannot be had. */
export async function inlineMedia(
  session: Pick<NetworkSession, 'download'>,
  media: InboundMedia,
  downloads: Gate,
): Promise<PublicMedia> {
  const { mimetype, fileName, size, ref } = media;
  const described = {
    mimetype,
    extension: extensionOf(mimetype, fileName),
    ...(ref.kind === 'document' && fileName !== undefined && { filename: fileName }),
  };
  const withoutData = { ...described, file_length: size, data: '' };
  if (size > INLINE_MEDIA_MAX_BYTES) return { ...withoutData, status: 'too_large' };
  try {
    const file = await downloads.run(() => session.download(ref, { maxBytes: INLINE_MEDIA_MAX_BYTES }));
    const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
    return {
      ...described,
      file_length: bytes.length,
      data: bytes.toString('base64'),
      status: 'downloaded',
    };
  } catch {
    // The message itself is here and must not wait for a file that the network no longer gives.
    return { ...withoutData, status: 'error' };
  }
}
