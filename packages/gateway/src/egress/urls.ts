import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';

export type UrlVerdict = 'good' | 'malformed' | 'not_https' | 'private';

/** Ports on which other protocols than HTTP live (the list that browsers refuse, https://fetch.spec.whatwg.org/#port-blocking). */
const FOREIGN_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Names that mean this machine or its own network wherever they are resolved. */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)\.?$/i;

/** A URL that the client would use: http or https, no credentials, no port of another protocol. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.hostname === '' || url.username !== '' || url.password !== '') return undefined;
  if (url.port !== '' && FOREIGN_PORTS.has(Number(url.port))) return undefined;
  return url;
}

/** What can be told about a URL without asking anybody, for example when it is registered. */
export function judgeUrl(
  text: string,
  { httpsOnly, publicOnly }: { httpsOnly: boolean; publicOnly: boolean },
): UrlVerdict {
  const url = parseHttpUrl(text);
  if (!url) return 'malformed';
  if (httpsOnly && url.protocol !== 'https:') return 'not_https';
  if (publicOnly && isKnownPrivate(url)) return 'private';
  return 'good';
}

function isKnownPrivate(url: URL): boolean {
  const host = literalHost(url);
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : !isPublicAddress(host);
}

/** The host without the brackets of IPv6. The parser has already brought octal, hexadecimal and short forms into the usual one. */
export function literalHost(url: Pick<URL, 'hostname'>): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
