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
export function extensionOf(mimetype: string, fileName: string | undefined): string {
  const named = fileName?.includes('.') ? (fileName.split('.').at(-1)?.toLowerCase() ?? '') : '';
  if (PLAIN_EXTENSION.test(named)) return named;
  const type = mimetype.split(';')[0]?.trim().toLowerCase() ?? '';
  const subtype = type.split('/')[1] ?? '';
  return EXTENSIONS[type] ?? (PLAIN_EXTENSION.test(subtype) ? subtype : 'bin');
}
