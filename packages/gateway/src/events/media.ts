import { INLINE_MEDIA_MAX_BYTES, type InboundMedia as PublicMedia } from '@parley/contract';
import type { Semaphore } from '#kernel';
import { type InboundMedia, type MediaRef, NetworkError, type NetworkSession } from '#network';
import { extensionOf } from './extension.ts';

/** Fetches the file that came with a message and puts it into the event, unless it is too large or cannot be had. */
export async function inlineMedia(
  session: Pick<NetworkSession, 'download'>,
  media: InboundMedia,
  downloads: Semaphore,
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
    const file = await downloads.run(() => downloadTwice(session, ref));
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

/** What failed for a passing reason may well succeed at once; everything else of this number waits meanwhile, so only once more. */
async function downloadTwice(session: Pick<NetworkSession, 'download'>, ref: MediaRef): Promise<Uint8Array> {
  const limits = { maxBytes: INLINE_MEDIA_MAX_BYTES };
  try {
    return await session.download(ref, limits);
  } catch (error) {
    if (!(error instanceof NetworkError) || error.kind !== 'transient') throw error;
    return session.download(ref, limits);
  }
}
