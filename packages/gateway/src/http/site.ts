import type { FastifyInstance, FastifyReply } from 'fastify';
import { fault } from '#kernel';

/** A single-page app below one path: its files, and one document for every address that names none. */
export interface Site {
  /** Without a slash at its end. */
  readonly path: string;
  /** `path` is what stands behind the site's own, without a slash at its start. Undefined when there is nothing. */
  find(path: string): Promise<SiteFile | undefined>;
}

export interface SiteFile {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function addSite(server: FastifyInstance, site: Site): void {
  async function answer(path: string, reply: FastifyReply): Promise<Buffer> {
    const file = await site.find(path);
    if (!file) throw fault('not_found');
    reply.headers({ 'X-Content-Type-Options': 'nosniff', ...file.headers }).type(file.type);
    return file.body;
  }

  server.get(site.path, { config: { page: true } }, (_request, reply) => answer('', reply));
  server.get(`${site.path}/*`, { config: { page: true } }, (request, reply) =>
    answer((request.params as { '*': string })['*'], reply),
  );
}
