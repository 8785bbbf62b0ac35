/** File to upload. A stream can be read once only, so its upload is not repeated. */
export type FileInput = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>;

/** Files take longer than other requests. */
export const FILE_TIMEOUT_MS = 10 * 60_000;

/** Upload in the form that `fetch` accepts. */
export function uploadOf(
  file: FileInput,
  mimetype: string | undefined,
): {
  readonly init: RequestInit & { duplex?: 'half' };
  readonly type: string;
  readonly isRepeatable: boolean;
} {
  if (file instanceof ReadableStream) {
    return { init: { body: file, duplex: 'half' }, type: mimetype ?? VAGUE_TYPE, isRepeatable: false };
  }
  const body = file instanceof Blob ? file : new Blob([file as Uint8Array<ArrayBuffer>]);
  return { init: { body }, type: mimetype ?? (body.type || VAGUE_TYPE), isRepeatable: true };
}

const VAGUE_TYPE = 'application/octet-stream';
