const NAME_MAX_LENGTH = 255;

/** The name that a downloaded file goes by, made harmless: no path, no control characters. */
export function fileNameOf(url: string, contentDisposition: string | string[] | undefined): string {
  const header = [contentDisposition].flat().at(0) ?? '';
  return harmless(extendedName(header) ?? plainName(header) ?? lastSegment(url));
}

/** `filename*=UTF-8''na%C3%AFve.pdf` (RFC 5987) wins over `filename`. */
function extendedName(header: string): string | undefined {
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  return encoded === undefined ? undefined : decoded(encoded);
}

function plainName(header: string): string | undefined {
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? bare;
}

function lastSegment(url: string): string {
  return decoded(URL.parse(url)?.pathname.split('/').at(-1) ?? '') ?? '';
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function harmless(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  const clean = base.replaceAll(/\p{Cc}/gu, '').trim();
  return clean === '.' || clean === '..' ? '' : clean.slice(0, NAME_MAX_LENGTH);
}
