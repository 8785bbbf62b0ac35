/** URLs of an address that must not be reached; a canary listens on `port`. */
export function hostileUrls(port: number): string[] {
  const hosts = [
    ...HOSTS_OF_THIS_MACHINE,
    ...PRIVATE_IPV4.flatMap(spellings),
    ...PRIVATE_IPV6.map((address) => `[${address}]`),
  ];
  return [...new Set(hosts)].flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/hook`]);
}

const HOSTS_OF_THIS_MACHINE = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  '127.1',
  '127.0.1',
  '127.000.000.001',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '0x7f.1',
  '0x7F000001',
  '017700000001',
  '2130706433',
  '127.0.0.1.',
  '１２７.0.0.1',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '00000000',
  '0x0',
];

const PRIVATE_IPV4 = [
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.254',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.254',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
];

/** The same address in dotted, hexadecimal, octal, single-number and shortened form, and inside IPv6. */
function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = whole.toString(16).padStart(8, '0');
  const halves = `${hex.slice(0, 4)}:${hex.slice(4)}`;
  return [
    address,
    `${whole}`,
    `0x${hex}`,
    `0${whole.toString(8)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${a.toString(16)}.0x${b.toString(16)}.0x${c.toString(16)}.0x${d.toString(16)}`,
    `[::ffff:${address}]`,
    `[::ffff:${halves}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${halves}]`,
    `[2002:${halves}::1]`,
    `[2001:0:${halves}::1]`,
  ];
}

const PRIVATE_IPV6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::0001',
  '100::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2620:4f:8000::1',
  '3ffe::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
];
