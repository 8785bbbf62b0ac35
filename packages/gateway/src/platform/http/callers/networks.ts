import { isIPv6 } from 'node:net';

/**
 * Networks that an address belongs to for rate limits, narrowest first. With IPv6 a home has 2⁶⁴ addresses and more, and many a
 * company 2¹⁶ such networks: /64 and /48. An IPv4 address counts on its own, also inside an IPv6 one.
 */
export function networksOf(address: string): readonly [narrow: string, ...wider: string[]] {
  const [plain = ''] = address.toLowerCase().split('%');
  if (!isIPv6(plain)) return [plain];
  const groups = groupsOf(plain);
  const mapped = ipv4In(groups);
  if (mapped !== undefined) return [mapped];
  const network = (count: number): string =>
    `${groups
      .slice(0, count)
      .map((group) => group.toString(16))
      .join(':')}::/${count * 16}`;
  return [network(4), network(3)];
}

/** Its eight groups. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const front = numbersIn(head);
  if (tail === undefined) return front;
  const back = numbersIn(tail);
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}

function numbersIn(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

/** `::ffff:192.0.2.1`, in any spelling. */
function ipv4In(groups: readonly number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined;
}
