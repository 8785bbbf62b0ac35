import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import {
  MEDIA_UPLOAD_STALL_SECONDS,
  MEDIA_UPLOADS_IN_PARALLEL,
  OUTBOUND_MEDIA_MAX_BYTES,
  UPLOAD_FORM_MAX_BYTES,
} from '@parley/contract';
import {
  ApiError,
  apiError,
  apiErrorFrom,
  type Clock,
  createPlaces,
  isMediaType,
  safeFileName,
  UNKNOWN_MEDIA_TYPE,
  within,
} from '#kernel';
import type { Caller } from '#platform/http';
import type { Media, MediaLibrary } from './library.ts';

interface Upload {
  readonly body: Readable;
  header(name: string): string | undefined;
}

export type TakeUpload = (caller: Caller, upload: Upload) => Promise<Media>;

interface UploadParts {
  readonly library: Pick<MediaLibrary, 'keep'>;
  /** Files travel by the machine's time. */
  readonly machineClock: Pick<Clock, 'after'>;
}

const STALLED_MS = MEDIA_UPLOAD_STALL_SECONDS * 1_000;

export function createUploads({ library, machineClock }: UploadParts): TakeUpload {
  const places = createPlaces(MEDIA_UPLOADS_IN_PARALLEL);

  async function take({ accountId, phone }: Caller, upload: Upload): Promise<Media> {
    const type = upload.header('Content-Type') ?? '';
    const isForm = /^multipart\/form-data\b/i.test(type);
    const claimed = Number(upload.header('Content-Length') ?? 0);
    if (claimed > OUTBOUND_MEDIA_MAX_BYTES + (isForm ? UPLOAD_FORM_MAX_BYTES : 0))
      throw apiError('upload_too_large');
    const found = isForm
      ? await fileInForm(upload, type)
      : { bytes: upload.body, mimetype: type, fileName: '', whole: Promise.resolve() };
    try {
      return await library.keep(
        { accountId, phone },
        {
          bytes: whole(unlessStalled(found.bytes, machineClock), found.whole),
          mimetype: checkedType(found.mimetype),
          fileName: found.fileName,
          maxBytes: OUTBOUND_MEDIA_MAX_BYTES,
          ...(claimed > 0 && { size: claimed }),
        },
      );
    } catch (error) {
      throw aborted(error) ? apiErrorFrom(error, 'upload_incomplete') : error;
    }
  }

  return async (caller, upload) => {
    const release = places.take(caller.accountId);
    if (!release) throw apiError('too_many_uploads');
    try {
      return await take(caller, upload);
    } finally {
      release();
    }
  };
}

/** Without a word about it, the bytes decide. */
function checkedType(type: string): string {
  const trimmed = type.trim();
  if (trimmed === '') return UNKNOWN_MEDIA_TYPE;
  if (!isMediaType(trimmed)) throw apiError('media_type_invalid');
  return trimmed.toLowerCase();
}

interface FoundFile {
  readonly bytes: Readable;
  readonly mimetype: string;
  readonly fileName: string;
  /** Settles with the form around it. */
  readonly whole: Promise<void>;
}

/** Not as a pipeline, which would end the connection with the first mistake, and with it the answer. */
async function fileInForm({ body }: Upload, contentType: string): Promise<FoundFile> {
  const found = Promise.withResolvers<FoundFile>();
  const form = Promise.withResolvers<void>();
  const parser = parserOf(contentType);
  const refuse = (cause?: unknown): void => {
    body.unpipe(parser);
    form.reject(asFault(cause));
  };
  for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit'] as const)
    parser.once(limit, () => refuse());
  parser.on('error', refuse).once('finish', form.resolve);
  body.once('error', refuse).once('close', () => {
    if (!body.readableEnded) refuse(CLOSED_EARLY);
  });
  parser.once('file', (_field, bytes, name, _encoding, mimetype) => {
    // Registered before any reader; later readers get the same error.
    bytes.once('error', () => {});
    form.promise.catch((error: Error) => bytes.destroy(error));
    found.resolve({ bytes, mimetype, fileName: withoutFolders(name), whole: form.promise });
  });
  form.promise.then(() => found.reject(apiError('upload_form_invalid')), found.reject);
  body.pipe(parser);
  return found.promise;
}

const CLOSED_EARLY = { code: 'ERR_STREAM_PREMATURE_CLOSE' };

function parserOf(contentType: string): InstanceType<typeof Busboy> {
  try {
    const limits = { files: 1, fields: 16, fieldSize: 1_024, parts: 17 };
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch (error) {
    throw apiErrorFrom(error, 'upload_form_invalid');
  }
}

function asFault(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  return aborted(cause)
    ? apiErrorFrom(cause, 'upload_incomplete')
    : apiErrorFrom(cause, 'upload_form_invalid');
}

const ABORTED: ReadonlySet<string | undefined> = new Set([
  'ECONNRESET',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ABORT_ERR',
]);

/** The client went away, or its connection did. */
function aborted(error: unknown): boolean {
  return ABORTED.has((error as Partial<NodeJS.ErrnoException> | undefined)?.code);
}

/** Some browsers say where on their machine the file was. */
function withoutFolders(name: string | undefined): string {
  return safeFileName((name ?? '').split(/[/\\]/).at(-1) ?? '');
}

/** A sender that says nothing for long must not hold a file open. */
async function* unlessStalled(bytes: Readable, clock: Pick<Clock, 'after'>): AsyncGenerator<Uint8Array> {
  const chunks = bytes.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await within(clock, STALLED_MS, chunks.next(), () => apiError('upload_incomplete'));
    if (next.done) return;
    yield next.value;
  }
}

async function* whole(bytes: AsyncIterable<Uint8Array>, end: Promise<void>): AsyncGenerator<Uint8Array> {
  yield* bytes;
  await end;
}
