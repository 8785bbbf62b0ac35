import { expect, test } from 'vitest';
import { isPublicAddress } from './addresses.ts';

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2a00:1450:4001::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(['', 'localhost', '1.2.3', '127.1', 'fe80::1%eth0', '1.1.1.1/32', '[2606:4700::1]'])(
  '%o is no address, and therefore not public',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);
