import type { Readable } from 'node:stream';
import { REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault, fault, faultBecause } from '#kernel';
import { createBase64Decoder, NotBase64, splitDataUrl } from './base64.ts';
import type { BodyFile } from './body-files.ts';
import { strictJsonParser } from './json.ts';
import { createLongMemberReader, type LongText } from './long-members.ts';
import { chargeBytes } from './read.ts';

/** A text with no more stays a text, whatever it is. */
const KEPT_BYTES = 64 * 1024;

/** Reads JSON of which some members may be a file in base64. Such a file goes to the disk, and stands in its place as a `BodyFile`. */
export function parseJsonWithFiles(server: FastifyInstance, names: ReadonlySet<string>) {
  const parse = strictJsonParser(server);

  return async (request: FastifyRequest, payload: Readable): Promise<unknown> => {
    const { bodyLimit } = request.routeOptions;
    const claimed = Number(request.headers['content-length']);
    if (claimed > bodyLimit) throw fault('body_too_large');
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
          keptLength > REQUEST_BODY_MAX_BYTES ? fault('body_too_large') : chargeBytes(request, json.length);
        if (refused) throw refused;
        kept.push(json);
      },
    });
    try {
      for await (const piece of payload.iterator({ destroyOnReturn: false })) {
        length += piece.length;
        if (length > bodyLimit) throw fault('body_too_large');
        await reader.write(piece);
      }
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw faultBecause(error, error instanceof SyntaxError ? 'body_not_json' : 'upload_incomplete');
    }
    if (claimed >= 0 && claimed !== length) throw fault('body_not_json');
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
  if (files.has(name)) throw fault('invalid_field', { text: `${name} must not be there twice` });
  const file = await request.server.bodyFiles.open(request);
  const decoder = createBase64Decoder();
  const { headLength, mimetype } = splitDataUrl(beginning);
  let head = headLength;
  const decoded = (decode: () => Buffer): Buffer => {
    try {
      return decode();
    } catch (error) {
      if (error instanceof NotBase64)
        throw faultBecause(error, 'invalid_field', { text: `${name} must be a URL or base64` });
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
