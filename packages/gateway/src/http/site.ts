import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fault } from '#kernel';
import { takesGzip } from './page.ts';
import type { RequestGate } from './request-gate.ts';

/** A single-page app below one path: its files, and one document for every address that names none. */
export interface Site {
  /** Without a slash at its end. */
  readonly path: string;
  /** `name` is what stands behind the site's own path, without a slash at its start. Undefined when there is nothing. */
  find(name: string): Promise<SiteFile | undefined>;
}

/** The same object as long as it is the same file: what is worked out for it is kept. */
export interface SiteFile {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const SHRINKS = /^(text\/|image\/svg|application\/manifest)/;

/** An empty part, one of dots, or a backslash: another reader of addresses would see another place in it. */
const BENT = /(^|\/)\.{0,2}\/|(^|\/)\.{1,2}$|\\/;

export function addSite(server: FastifyInstance, site: Site, gate: RequestGate): void {
  const gzipped = new WeakMap<SiteFile, Buffer>();

  function shrink(file: SiteFile): Buffer {
    const known = gzipped.get(file) ?? gzipSync(file.body);
    gzipped.set(file, known);
    return known;
  }

  async function answer(name: string, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
    gate.enter(request);
    const file = BENT.test(name) ? undefined : await site.find(name);
    if (!file) throw fault('not_found');
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
