import { expect, it } from 'vitest';
import { networksOf } from './networks.ts';

it('counts IPv6 by /64 and by /48, however an address is written', () => {
  for (const address of [
    '2001:db8:1:2:3:4:5:6',
    '2001:0DB8:0001:0002::9',
    '2001:db8:1:2::192.0.2.1',
    '2001:db8:1:2::7%eth0',
  ])
    expect(networksOf(address)).toEqual(['2001:db8:1:2::/64', '2001:db8:1::/48']);
  expect(networksOf('2001:db8::1')).toEqual(['2001:db8:0:0::/64', '2001:db8:0::/48']);
  expect(networksOf('::1')).toEqual(['0:0:0:0::/64', '0:0:0::/48']);
  expect(networksOf('fe80::')).toEqual(['fe80:0:0:0::/64', 'fe80:0:0::/48']);
});

it('counts an IPv4 address on its own, also inside IPv6', () => {
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
    expect(networksOf(address)).toEqual(['192.0.2.1']);
});

it('returns anything else unchanged', () => {
  expect(networksOf('unknown')).toEqual(['unknown']);
  expect(networksOf('')).toEqual(['']);
});
