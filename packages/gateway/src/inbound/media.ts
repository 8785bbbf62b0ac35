import { INLINE_MEDIA_MAX_BYTES, type InboundMedia as PublicMedia } from '@parley/contract';
import { type Semaphore, warnOf } from '#kernel';
import { type InboundMedia, type MediaRef, NetworkError, type NetworkSession } from '#network';

/** Fetches the file that came with a message and puts it into the event, unless it is too large or cannot be had. */
export async function inlineMedia(
  session: Pick<NetworkSession, 'download'>,
  media: InboundMedia,
  downloads: Semaphore,
): Promise<PublicMedia> {
  const { size, ref } = media;
  const described = describe(media);
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
  } catch (error) {
    // The message itself is here and must not wait for a file that the network no longer gives.
    if (!(error instanceof NetworkError)) warnOf('a file could not be put into its event')(error);
    return { ...withoutData, status: 'error' };
  }
}

/** Metadata of the file without its content. */
export function mediaWithoutFile(media: InboundMedia): PublicMedia {
  return { ...describe(media), file_length: media.size, data: '', status: 'error' };
}

function describe({ mimetype, fileName, ref }: InboundMedia) {
  return {
    mimetype,
    extension: extensionOf(mimetype, fileName),
    ...(ref.kind === 'document' && fileName !== undefined && { filename: fileName }),
  };
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

/** Extensions that do not follow from the name of their media type. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'video/3gpp': '3gp',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-wav': 'wav',
  'text/plain': 'txt',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/octet-stream': 'bin',
};

const PLAIN_EXTENSION = /^[a-z0-9]{1,8}$/;

/** Without dot: as the file is called, else by its media type (`audio/ogg; codecs=opus` → `ogg`), else `bin`. */
function extensionOf(mimetype: string, fileName: string | undefined): string {
  const named = fileName?.includes('.') ? (fileName.split('.').at(-1)?.toLowerCase() ?? '') : '';
  if (PLAIN_EXTENSION.test(named)) return named;
  const type = mimetype.split(';')[0]?.trim().toLowerCase() ?? '';
  const subtype = type.split('/')[1] ?? '';
  return EXTENSIONS[type] ?? (PLAIN_EXTENSION.test(subtype) ? subtype : 'bin');
}
