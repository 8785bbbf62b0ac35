import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '#kernel';
import type { Site, SiteFile } from '#platform/http';

/** Folder of the single-page app, filled by `npm run build`. */
const BUILT_APP = path.resolve(import.meta.dirname, '../../../../portal/dist');

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Forbids foreign and inline resources, and framing. */
const SECURITY = {
  'Content-Security-Policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; '),
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** The name of an asset changes with its content. */
const FOREVER = 'public, max-age=31536000, immutable';

const NOT_BUILT: SiteFile = {
  type: 'text/html; charset=utf-8',
  headers: { ...SECURITY, 'Cache-Control': 'no-store' },
  body: Buffer.from(
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley</title>' +
      '<h1>The portal is not built yet</h1><p>Run <code>npm run build</code> in the folder of the project and load this page again.</p>',
  ),
};

interface Build {
  /** Time of the document; a new build has a newer one. */
  readonly madeAt: number;
  readonly files: ReadonlyMap<string, SiteFile>;
}

/** Documents of the build; all other files are their assets. */
const DOCUMENTS = { portal: 'index.html', ownerLink: 'link.html' } as const;

export interface PortalSites {
  readonly portal: Site;
  /** Page for the owner of a number, at a link with a token. It is the same for every token. */
  readonly ownerLink: Site;
}

/** Serves the portal's pages from the folder of their build. */
export function createPortalSites(folder: string = BUILT_APP): PortalSites {
  let build: Build | undefined;

  async function currentBuild(): Promise<Build | undefined> {
    const document = await stat(path.join(folder, 'index.html')).catch(unlessMissing);
    if (!document) return undefined;
    if (build?.madeAt !== document.mtimeMs) build = { madeAt: document.mtimeMs, files: await load(folder) };
    return build;
  }

  return {
    portal: {
      path: '/portal',
      async find(name) {
        if (name === 'api' || name.startsWith('api/')) return undefined;
        const { files } = (await currentBuild()) ?? {};
        if (!files) return NOT_BUILT;
        return files.get(name) ?? (name.startsWith('assets/') ? undefined : files.get(DOCUMENTS.portal));
      },
    },
    ownerLink: {
      path: '/link',
      async find(name) {
        if (name === '' || name.includes('/')) return undefined;
        const { files } = (await currentBuild()) ?? {};
        return files ? files.get(DOCUMENTS.ownerLink) : NOT_BUILT;
      },
    },
  };
}

async function load(folder: string): Promise<Map<string, SiteFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && path.extname(entry.name) in TYPES)
    .map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(folder, file).replaceAll(path.sep, '/');
      return [name, describe(name, await readFile(file))] as const;
    });
  return new Map(await Promise.all(files));
}

function describe(name: string, body: Buffer): SiteFile {
  const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
  if (name === DOCUMENTS.ownerLink) {
    // The address is a secret, so it must not reach other sites as a referrer.
    return {
      type,
      headers: { ...SECURITY, 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' },
      body,
    };
  }
  if (name === DOCUMENTS.portal) return { type, headers: { ...SECURITY, 'Cache-Control': 'no-store' }, body };
  return { type, headers: { 'Cache-Control': name.startsWith('assets/') ? FOREVER : 'no-cache' }, body };
}
