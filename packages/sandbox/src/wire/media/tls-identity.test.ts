import { randomBytes, X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { createTestWorld } from '../../world/fixture.ts';
import { issueTlsIdentity, readTlsAuthority } from './tls-identity.ts';

const random = { bytes: (length: number) => randomBytes(length) };

it('is a certificate authority and a server certificate signed by it, for the given names only', () => {
  const world = createTestWorld();
  const tls = readTlsAuthority(world.vault, random);
  const names = ['localhost', '127.0.0.1', 'sandbox.internal', '10.20.30.40', 'fd00::1:20'];
  const authority = new X509Certificate(tls.caPem);
  const server = new X509Certificate(issueTlsIdentity(tls, names, random).certificatePem);
  expect(authority.ca).toBe(true);
  expect(authority.verify(authority.publicKey)).toBe(true);
  expect(server.ca).toBe(false);
  expect(server.verify(authority.publicKey)).toBe(true);
  expect(server.checkIssued(authority)).toBe(true);
  for (const name of ['localhost', 'sandbox.internal']) expect(server.checkHost(name)).toBe(name);
  for (const address of ['127.0.0.1', '10.20.30.40', 'fd00::1:20'])
    expect(server.checkIP(address)).toBe(address);
  expect(server.checkHost('example.com')).toBeUndefined();
  expect(server.checkIP('10.20.30.41')).toBeUndefined();
  expect(server.validToDate.getTime()).toBeGreaterThan(Date.now());
  world.close();
});

it('has an authority that stays the same, and differs between networks', () => {
  const [one, two] = [createTestWorld(), createTestWorld()];
  const first = readTlsAuthority(one.vault, random);
  expect(readTlsAuthority(one.vault, random)).toEqual(first);
  expect(readTlsAuthority(two.vault, random).caPem).not.toBe(first.caPem);
  one.close();
  two.close();
});
