import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault, fault, faultBecause } from '#kernel';
import { disposeOfFiles } from './body-files.ts';
import { parseJsonWithFiles } from './json-files.ts';
import { chargeBytes } from './read.ts';
import { checkText } from './text.ts';

const FIELDS_MAX = 64;
const FILES_MAX = 4;

/**
 * Adds routes whose body may be a form beside JSON, with files in both: in JSON as base64, in the members that are named. Files go to the
 * disk as they arrive. What is left of a body is held in memory, and may have no more than any other body.
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
  const refuse = (refused: Fault): void => {
    body.unpipe(parser);
    whole.reject(refused);
    // Nothing more comes into these, and they would be waited for.
    for (const file of arriving) file.destroy();
  };
  const formFault = (cause: unknown): Fault =>
    cause instanceof Fault ? cause : faultBecause(cause, 'upload_form_invalid');
  for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit'] as const)
    parser.once(limit, () => refuse(fault('upload_form_invalid')));
  body.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > maxBytes) refuse(fault('body_too_large'));
  });
  body.once('error', (error) => refuse(formFault(error)));
  body.once('close', () => {
    // What has ended is whole, though the parser may take some turns more.
    if (!body.readableEnded) refuse(fault('upload_incomplete'));
  });
  parser.on('error', (error: unknown) => refuse(formFault(error)));
  parser.once('finish', whole.resolve);
  parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
    const bytes = Buffer.byteLength(value);
    fieldsLength += bytes;
    const tooLong = valueTruncated || fieldsLength > REQUEST_BODY_MAX_BYTES;
    const refused = tooLong ? fault('body_too_large') : chargeBytes(request, bytes);
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
    throw faultBecause(error, 'upload_form_invalid');
  }
}
