import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Fault, fault, faultBecause } from '#kernel';
import { chargeBytes } from './read.ts';
import { checkText } from './text.ts';

/** A file that came in a form, whole. */
export class FormFile {
  readonly bytes: Buffer;
  readonly mimetype: string;
  readonly fileName: string;

  constructor(bytes: Buffer, mimetype: string, fileName: string) {
    this.bytes = bytes;
    this.mimetype = mimetype;
    this.fileName = fileName;
  }
}

const FIELDS_MAX = 64;
const FILES_MAX = 4;

/** Adds routes whose body may be a form beside JSON. It is held in memory: its whole may have no more than the JSON in its place. */
export function takeForms(server: FastifyInstance, add: (scope: FastifyInstance) => void): void {
  server.register(async (scope) => {
    scope.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: Readable) =>
      readForm(request, payload),
    );
    add(scope);
  });
}

async function readForm(request: FastifyRequest, body: Readable): Promise<Record<string, unknown>> {
  const { bodyLimit: maxBytes } = request.routeOptions;
  const contentType = request.headers['content-type'] ?? '';
  const read = new Map<string, unknown>();
  const whole = Promise.withResolvers<void>();
  const parser = parserOf(contentType, maxBytes);
  let length = 0;
  const refuse = (refused: Fault): void => {
    body.unpipe(parser).resume();
    whole.reject(refused);
  };
  const formFault = (cause: unknown) => faultBecause(cause, 'upload_form_invalid');
  for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit'] as const)
    parser.once(limit, () => refuse(fault('upload_form_invalid')));
  body.on('data', (piece: Buffer) => {
    length += piece.length;
    const refused = length > maxBytes ? fault('body_too_large') : chargeBytes(request, piece.length);
    if (refused) refuse(refused);
  });
  body.once('error', (error) => refuse(formFault(error)));
  body.once('close', () => {
    // What has ended is whole, though the parser may take some turns more.
    if (!body.readableEnded) refuse(fault('upload_incomplete'));
  });
  parser.on('error', (error: unknown) => refuse(formFault(error)));
  parser.once('finish', whole.resolve);
  parser.on('field', (name, value) => read.set(name, value));
  parser.on('file', (name, file, fileName, _encoding, mimetype) => {
    const pieces: Buffer[] = [];
    file.on('data', (piece: Buffer) => pieces.push(piece));
    file.once('end', () => read.set(name, new FormFile(Buffer.concat(pieces), mimetype, fileName ?? '')));
  });
  body.pipe(parser);
  await whole.promise;
  const fields = Object.fromEntries(read);
  const refused = checkText('form', fields);
  if (refused) throw refused;
  return fields;
}

function parserOf(contentType: string, maxBytes: number): InstanceType<typeof Busboy> {
  const limits = { files: FILES_MAX, fields: FIELDS_MAX, fieldSize: maxBytes, parts: FIELDS_MAX + FILES_MAX };
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch (error) {
    throw faultBecause(error, 'upload_form_invalid');
  }
}
