import { randomBytes, X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { createTestWorld } from '../../world/fixture.ts';
import { readTlsIdentity } from './tls-identity.ts';

const random = { bytes: (length: number) => randomBytes(length) };

it('is a certificate authority and a server certificate signed by it, for loopback only', () => {
  const world = createTestWorld();
  const { caPem, certificatePem } = readTlsIdentity(world.vault, random);
  const authority = new X509Certificate(caPem);
  const server = new X509Certificate(certificatePem);
  expect(authority.ca).toBe(true);
  expect(authority.verify(authority.publicKey)).toBe(true);
  expect(server.ca).toBe(false);
  expect(server.verify(authority.publicKey)).toBe(true);
  expect(server.checkIssued(authority)).toBe(true);
  expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(server.checkHost('localhost')).toBe('localhost');
  expect(server.checkHost('example.com')).toBeUndefined();
  expect(server.validToDate.getTime()).toBeGreaterThan(Date.now());
  world.close();
});

it('stays the same, and differs between networks', () => {
  const [one, two] = [createTestWorld(), createTestWorld()];
  const first = readTlsIdentity(one.vault, random);
  expect(readTlsIdentity(one.vault, random)).toEqual(first);
  expect(readTlsIdentity(two.vault, random).caPem).not.toBe(first.caPem);
  one.close();
  two.close();
});
