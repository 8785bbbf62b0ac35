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

/** Of IPv6 only this part is given to hosts at all; loopback, mapped, NAT64, unique-local, link-local and multicast lie outside. */
const GLOBAL_IPV6: readonly [network: string, prefix: number][] = [['2000::', 3]];

/** Special-purpose ranges inside it, among them all that carry an IPv4 address within. */
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

/** True only for an address of a host on the public internet. Whatever is not an address at all is not public either. */
export function isPublicAddress(address: string): boolean {
  // A zone (`fe80::1%eth0`) names a network of this machine.
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}
