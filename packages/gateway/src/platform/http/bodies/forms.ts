import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, apiError, apiErrorFrom } from '#kernel';
import { createBase64Decoder, NotBase64, splitDataUrl } from './base64.ts';
import { type BodyFile, disposeOfFiles } from './body-files.ts';
import { checkText, strictJsonParser } from './json.ts';
import { createLongMemberReader, type LongText } from './long-members.ts';
import { chargeBytes } from './read.ts';

const FIELDS_MAX = 64;
const FILES_MAX = 4;

/**
 * Adds routes whose body may be a form or JSON, with files in both: in JSON as base64, in the named members. Files are streamed to
 * disk. The rest of a body is held in memory, within the limit of any other body.
 */
export function takeForms(
  server: FastifyInstance,
  fileFields: readonly string[],
  add: (scope: FastifyInstance) => void,
): void {
  server.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: Readable) =>
      withoutFilesOnFailure(request, () => readForm(request, payload)),
    );
    const readJson = parseJsonWithFiles(scope, new Set(fileFields));
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) =>
      withoutFilesOnFailure(request, () => readJson(request, payload)),
    );
    add(scope);
  });
}

async function withoutFilesOnFailure<T>(request: FastifyRequest, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    await disposeOfFiles(request);
    throw error;
  }
}

async function readForm(request: FastifyRequest, body: Readable): Promise<Record<string, unknown>> {
  const { bodyLimit: maxBytes } = request.routeOptions;
  const read = new Map<string, unknown>();
  const writing: Promise<void>[] = [];
  const whole = Promise.withResolvers<void>();
  const parser = parserOf(request.headers['content-type'] ?? '');
  let length = 0;
  let fieldsLength = 0;
  const arriving = new Set<Readable>();
  const refuse = (refused: ApiError): void => {
    body.unpipe(parser);
    whole.reject(refused);
    // These get no more data, and their end would be awaited.
    for (const file of arriving) file.destroy();
  };
  const formFault = (cause: unknown): ApiError =>
    cause instanceof ApiError ? cause : apiErrorFrom(cause, 'upload_form_invalid');
  for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit'] as const)
    parser.once(limit, () => refuse(apiError('upload_form_invalid')));
  body.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > maxBytes) refuse(apiError('body_too_large'));
  });
  body.once('error', (error) => refuse(formFault(error)));
  body.once('close', () => {
    // A body that has ended is complete, though the parser may take some more turns.
    if (!body.readableEnded) refuse(apiError('upload_incomplete'));
  });
  parser.on('error', (error: unknown) => refuse(formFault(error)));
  parser.once('finish', whole.resolve);
  parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
    const bytes = Buffer.byteLength(value);
    fieldsLength += bytes;
    const tooLong = valueTruncated || fieldsLength > REQUEST_BODY_MAX_BYTES;
    const refused = tooLong ? apiError('body_too_large') : chargeBytes(request, bytes);
    if (refused) refuse(refused);
    else read.set(name, value);
  });
  parser.on('file', (name, file, fileName, _encoding, mimetype) => {
    const written = writeFile(request, file, { mimetype, fileName: fileName ?? '' }).then(
      (kept) => void read.set(name, kept),
      (error: unknown) => refuse(formFault(error)),
    );
    arriving.add(file);
    file.once('close', () => arriving.delete(file));
    writing.push(written);
  });
  body.pipe(parser);
  try {
    await whole.promise;
  } finally {
    await Promise.all(writing);
  }
  const fields = Object.fromEntries(read);
  const refused = checkText('form', fields);
  if (refused) throw refused;
  return fields;
}

async function writeFile(
  request: FastifyRequest,
  file: Readable,
  said: { readonly mimetype: string; readonly fileName: string },
) {
  const writer = await request.server.bodyFiles.open(request);
  for await (const piece of file.iterator({ destroyOnReturn: false })) await writer.write(piece);
  return writer.end(said);
}

function parserOf(contentType: string): InstanceType<typeof Busboy> {
  const parts = FIELDS_MAX + FILES_MAX;
  const limits = { files: FILES_MAX, fields: FIELDS_MAX, fieldSize: REQUEST_BODY_MAX_BYTES, parts };
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch (error) {
    throw apiErrorFrom(error, 'upload_form_invalid');
  }
}

/** A string up to this size stays a string, whatever it contains. */
const KEPT_BYTES = 64 * 1024;

/** Parses JSON in which some members may be a base64 file. Such a file goes to the disk, and is replaced by a `BodyFile`. */
function parseJsonWithFiles(server: FastifyInstance, names: ReadonlySet<string>) {
  const parse = strictJsonParser(server);

  return async (request: FastifyRequest, payload: Readable): Promise<unknown> => {
    const { bodyLimit } = request.routeOptions;
    const claimed = Number(request.headers['content-length']);
    if (claimed > bodyLimit) throw apiError('body_too_large');
    const kept: Buffer[] = [];
    const files = new Map<string, BodyFile>();
    let [length, keptLength] = [0, 0];

    const reader = createLongMemberReader({
      names,
      keptBytes: KEPT_BYTES,
      open: (name, beginning) => (isUrl(beginning) ? undefined : openFile(request, name, beginning, files)),
      keep(json) {
        keptLength += json.length;
        const refused =
          keptLength > REQUEST_BODY_MAX_BYTES
            ? apiError('body_too_large')
            : chargeBytes(request, json.length);
        if (refused) throw refused;
        kept.push(json);
      },
    });
    try {
      for await (const piece of payload.iterator({ destroyOnReturn: false })) {
        length += piece.length;
        if (length > bodyLimit) throw apiError('body_too_large');
        await reader.write(piece);
      }
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw apiErrorFrom(error, error instanceof SyntaxError ? 'body_not_json' : 'upload_incomplete');
    }
    if (claimed >= 0 && claimed !== length) throw apiError('body_not_json');
    const body = await parse(request, Buffer.concat(kept, keptLength).toString());
    if (files.size === 0) return body;
    return { ...(body as object), ...Object.fromEntries(files) };
  };
}

function isUrl(beginning: string): boolean {
  return /^https?:\/\//i.test(beginning);
}

async function openFile(
  request: FastifyRequest,
  name: string,
  beginning: string,
  files: Map<string, BodyFile>,
): Promise<LongText> {
  if (files.has(name)) throw apiError('invalid_field', { text: `${name} must not be there twice` });
  const file = await request.server.bodyFiles.open(request);
  const decoder = createBase64Decoder();
  const { headLength, mimetype } = splitDataUrl(beginning);
  let head = headLength;
  const decoded = (decode: () => Buffer): Buffer => {
    try {
      return decode();
    } catch (error) {
      if (error instanceof NotBase64)
        throw apiErrorFrom(error, 'invalid_field', { text: `${name} must be a URL or base64` });
      throw error;
    }
  };
  return {
    async write(text) {
      const encoded = text.slice(head);
      head -= text.length - encoded.length;
      await file.write(decoded(() => decoder.write(encoded)));
    },
    async end() {
      await file.write(decoded(() => decoder.end()));
      files.set(name, file.end({ mimetype, fileName: '' }));
    },
  };
}
