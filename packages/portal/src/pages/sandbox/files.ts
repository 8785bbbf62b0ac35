/** A request may have 1 MB, and a file grows by a third on its way into it. */
export const FILE_MAX_BYTES = 700 * 1024;

const KINDS = ['image', 'video', 'audio'];

/** A file as a phone sends it. */
export async function readFile(file: File): Promise<object> {
  const mimetype = file.type || 'application/octet-stream';
  const media_type = KINDS.find((kind) => mimetype.startsWith(`${kind}/`)) ?? 'document';
  const media_base64 = base64Of(new Uint8Array(await file.arrayBuffer()));
  return { media_type, media_base64, mimetype, ...(media_type === 'document' && { file_name: file.name }) };
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
