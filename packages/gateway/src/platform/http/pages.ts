import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiError } from '#kernel';
import type { RequestLifecycle } from './callers/request-lifecycle.ts';

/** A public document for people or their tools, the same for everyone. */
export interface Page {
  readonly path: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once, with the first request. */
  readonly render: () => string | Buffer | Promise<string>;
}

interface Rendered {
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/** Serves pages with ETags, so that unchanged ones travel once, and compressed where the client accepts it. */
export function addPages(server: FastifyInstance, pages: readonly Page[], gate: RequestLifecycle): void {
  const config = { page: true } as const;
  const isAtRoot = ({ path }: Page): boolean => path.lastIndexOf('/') === 0;
  for (const page of pages.filter(isAtRoot)) server.get(page.path, { config }, pageAnswerer(page, gate));
  // One route per folder: registering a route for each page takes as long as all operations together.
  const inFolders = pages.filter((page) => !isAtRoot(page));
  const folders = Map.groupBy(inFolders, ({ path }) => path.slice(0, path.lastIndexOf('/')));
  for (const [folder, inside] of folders) {
    const answers = new Map(inside.map((page) => [page.path, pageAnswerer(page, gate)]));
    server.get<{ Params: { '*': string } }>(`${folder}/*`, { config }, (request, reply) => {
      const answer = answers.get(`${folder}/${request.params['*']}`);
      if (!answer) throw apiError('not_found');
      return answer(request, reply);
    });
  }
}

function pageAnswerer(page: Page, gate: RequestLifecycle) {
  let rendered: Rendered | undefined;
  return async (request: FastifyRequest, reply: FastifyReply) => {
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
  };
}

/** A relative location, so that it works under any host name of a proxy. */
export function addRedirect(server: FastifyInstance, from: string, to: string, gate: RequestLifecycle): void {
  server.get(from, { config: { page: true } }, (request, reply) => {
    gate.enter(request);
    gate.onResponse(request, reply, 'page');
    return reply.header('Cache-Control', 'no-cache').redirect(to, 302);
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

function takesGzip(acceptEncoding: string | string[] | undefined): boolean {
  return String(acceptEncoding ?? '')
    .replaceAll(' ', '')
    .split(',')
    .some((coding) => /^gzip(;|$)/i.test(coding) && !/;q=0(\.0*)?$/i.test(coding));
}

/** A single-page app under one path: its files, and one document for every address that is no file. */
export interface Site {
  /** Without a slash at its end. */
  readonly path: string;
  /** `name` is the path below the site's own, without a leading slash. Undefined when there is none. */
  find(name: string): Promise<SiteFile | undefined>;
}

/** The same object as long as the file is the same: derived data is cached by it. */
export interface SiteFile {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const SHRINKS = /^(text\/|image\/svg|application\/manifest)/;

/** An empty or dot segment, or a backslash: another parser of URLs would resolve it to another path. */
const MODIFIED_SUFFIX = /(^|\/)\.{0,2}\/|(^|\/)\.{1,2}$|\\/;

export function addSite(server: FastifyInstance, site: Site, gate: RequestLifecycle): void {
  const gzipped = new WeakMap<SiteFile, Buffer>();

  function shrink(file: SiteFile): Buffer {
    const known = gzipped.get(file) ?? gzipSync(file.body);
    gzipped.set(file, known);
    return known;
  }

  async function answer(name: string, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
    gate.enter(request);
    const file = MODIFIED_SUFFIX.test(name) ? undefined : await site.find(name);
    if (!file) throw apiError('not_found');
    gate.onResponse(request, reply, 'page');
    reply
      .type(file.type)
      .headers({ 'X-Content-Type-Options': 'nosniff', Vary: 'Accept-Encoding', ...file.headers });
    if (!SHRINKS.test(file.type) || !takesGzip(request.headers['accept-encoding'])) return file.body;
    reply.header('Content-Encoding', 'gzip');
    return shrink(file);
  }

  const config = { page: true } as const;
  server.get(site.path, { config }, (request, reply) => answer('', request, reply));
  server.get<{ Params: { '*': string } }>(`${site.path}/*`, { config }, (request, reply) =>
    answer(request.params['*'], request, reply),
  );
}
