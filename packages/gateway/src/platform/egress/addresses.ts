import { BlockList, isIP } from 'node:net';

/** Special-purpose ranges of IPv4 (IANA registry): none of them is a host on the public internet. */
const SPECIAL_IPV4: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** The only IPv6 range assigned to hosts; loopback, mapped, NAT64, unique-local, link-local and multicast are outside. */
const GLOBAL_IPV6: readonly [network: string, prefix: number][] = [['2000::', 3]];

/** Special-purpose ranges inside it, including all that embed an IPv4 address. */
const SPECIAL_IPV6: readonly [network: string, prefix: number][] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48], // AS112
  ['3ffe::', 16], // the old test network
  ['3fff::', 20], // documentation
];

const special = new BlockList();
const globalIpv6 = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');
for (const [network, prefix] of GLOBAL_IPV6) globalIpv6.addSubnet(network, prefix, 'ipv6');

/** True only for an address of a host on the public internet; false for anything that is no address. */
export function isPublicAddress(address: string): boolean {
  // A zone (`fe80::1%eth0`) names a network interface of this machine.
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}

export type UrlVerdict = 'good' | 'malformed' | 'not_https' | 'private';

/** Ports of protocols other than HTTP (the list that browsers refuse, https://fetch.spec.whatwg.org/#port-blocking). */
const FOREIGN_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Names that mean this machine or its own network on every resolver. */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)\.?$/i;

/** Parses a URL that the client may use: http or https, no credentials, no port of another protocol. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.port !== '' && FOREIGN_PORTS.has(Number(url.port))) return undefined;
  return url;
}

/** Checks a URL without a DNS lookup, for example when it is registered. */
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

/** Host without the brackets of IPv6. The URL parser has normalized octal, hexadecimal and short forms. */
function literalHost(url: Pick<URL, 'hostname'>): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
