import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { RequestGate } from './request-gate.ts';

/** A document for people or their tools, public and the same for everybody. */
export interface Page {
  readonly path: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called with the first request, then never again. */
  readonly render: () => string | Buffer | Promise<string>;
}

interface Rendered {
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/** Serves a page with an ETag, so that an unchanged one travels once, and compressed where the client takes it. */
export function addPage(server: FastifyInstance, page: Page, gate: RequestGate): void {
  let rendered: Rendered | undefined;
  server.get(page.path, { config: { page: true } }, async (request, reply) => {
    gate.enter(request);
    rendered ??= await render(page);
    reply.headers({
      'X-Content-Type-Options': 'nosniff',
      ...page.headers,
      ETag: rendered.etag,
      Vary: 'Accept-Encoding',
    });
    const isKnown = knows(request.headers['if-none-match'], rendered.etag);
    reply.status(isKnown ? 304 : 200);
    gate.onResponse(request, reply, 'page');
    if (isKnown) return reply.send();
    reply.type(page.type);
    if (!takesGzip(request.headers['accept-encoding'])) return rendered.plain;
    reply.header('Content-Encoding', 'gzip');
    return rendered.gzipped;
  });
}

async function render(page: Page): Promise<Rendered> {
  const content = await page.render();
  const plain = typeof content === 'string' ? Buffer.from(content) : content;
  // Weak: both encodings of the same content share it.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { etag, plain, gzipped: gzipSync(plain) };
}

function knows(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);
}

export function takesGzip(acceptEncoding: string | string[] | undefined): boolean {
  return String(acceptEncoding ?? '')
    .replaceAll(' ', '')
    .split(',')
    .some((coding) => /^gzip(;|$)/i.test(coding) && !/;q=0(\.0*)?$/i.test(coding));
}
