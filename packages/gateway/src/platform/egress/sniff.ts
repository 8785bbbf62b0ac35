/** The type of a file, detected from its first bytes; its name and declared type are ignored. */
export interface FileKind {
  readonly family: 'image' | 'video' | 'audio' | 'document';
  readonly mimetype: string;
  /** Without dot. */
  readonly extension: string;
}

export const SNIFFED_BYTES = 4_096;

const UNKNOWN: FileKind = {
  family: 'document',
  mimetype: 'application/octet-stream',
  extension: 'bin',
};

export function sniff(beginning: Uint8Array): FileKind {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  return SIGNATURES.find(({ matches }) => matches(bytes))?.kind ?? UNKNOWN;
}

interface Signature {
  readonly kind: FileKind;
  readonly matches: (bytes: Buffer) => boolean;
}

function signature(
  family: FileKind['family'],
  mimetype: string,
  extension: string,
  matches: Signature['matches'],
): Signature {
  return { kind: { family, mimetype, extension }, matches };
}

const has = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;
const starts = (text: string) => (bytes: Buffer) => has(bytes, text);
/** RIFF containers name their content after the length. */
const riff = (form: string) => (bytes: Buffer) => has(bytes, 'RIFF') && has(bytes, form, 8);
/** ISO media files begin with a `ftyp` box that names their brand. */
const brand = (pattern: RegExp) => (bytes: Buffer) =>
  has(bytes, 'ftyp', 4) && pattern.test(bytes.toString('latin1', 8, 12));
/** First page of an Ogg file: header, segment lengths, then the codec name. */
const oggOf = (codec: string) => (bytes: Buffer) =>
  has(bytes, 'OggS') && has(bytes, codec, 27 + (bytes[26] ?? 0));
/** An audio frame of MPEG: eleven bits set, a layer, no reserved bit rate. */
const mpegFrame = (layer: (bits: number) => boolean) => (bytes: Buffer) => {
  const [first = 0, second = 0, third = 0] = bytes;
  return first === 0xff && (second & 0xe0) === 0xe0 && layer((second >> 1) & 3) && third >> 4 !== 15;
};

/** The first match wins, so the narrower ones come first. */
const SIGNATURES: readonly Signature[] = [
  signature('image', 'image/jpeg', 'jpg', starts('\xff\xd8\xff')),
  signature('image', 'image/png', 'png', starts('\x89PNG\r\n\x1a\n')),
  signature('image', 'image/gif', 'gif', (bytes) => has(bytes, 'GIF87a') || has(bytes, 'GIF89a')),
  signature('image', 'image/webp', 'webp', riff('WEBP')),
  signature('image', 'image/heic', 'heic', brand(/^(heic|heix|heim|heis|mif1)/)),
  signature('image', 'image/avif', 'avif', brand(/^avi[fs]/)),
  signature('audio', 'audio/mp4', 'm4a', brand(/^M4[AB] /)),
  signature('video', 'video/3gpp', '3gp', brand(/^3g[eghp2r-t]/)),
  signature('video', 'video/quicktime', 'mov', brand(/^qt {2}/)),
  signature('video', 'video/mp4', 'mp4', brand(/^(isom|iso[2-9]|mp4[12]|avc1|dash|M4V |MSNV|f4v )/)),
  signature('video', 'video/webm', 'webm', (bytes) => has(bytes, '\x1aE\xdf\xa3') && bytes.includes('webm')),
  signature('video', 'video/x-matroska', 'mkv', starts('\x1aE\xdf\xa3')),
  signature('audio', 'audio/wav', 'wav', riff('WAVE')),
  signature('video', 'video/x-msvideo', 'avi', riff('AVI ')),
  // The one container whose type must name its codec: phones do not play it otherwise.
  signature('audio', 'audio/ogg; codecs=opus', 'ogg', oggOf('OpusHead')),
  signature('audio', 'audio/ogg', 'ogg', starts('OggS')),
  signature('audio', 'audio/flac', 'flac', starts('fLaC')),
  signature('audio', 'audio/amr', 'amr', starts('#!AMR')),
  signature('audio', 'audio/mpeg', 'mp3', starts('ID3')),
  signature(
    'audio',
    'audio/aac',
    'aac',
    mpegFrame((layer) => layer === 0),
  ),
  signature(
    'audio',
    'audio/mpeg',
    'mp3',
    mpegFrame((layer) => layer !== 0),
  ),
  signature('document', 'application/pdf', 'pdf', starts('%PDF-')),
  signature('document', 'application/zip', 'zip', starts('PK\x03\x04')),
];
