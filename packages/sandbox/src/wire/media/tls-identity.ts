import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';
import type { Vault } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { Random } from '../ports.ts';
import * as der from './der.ts';

/** Clients upload by HTTPS only, so the sandbox is its own certificate authority, trusted by its own clients only. */

export interface TlsAuthority {
  readonly name: string;
  readonly caPem: string;
  readonly caKeyPem: string;
}

export interface TlsIdentity {
  readonly certificatePem: string;
  readonly keyPem: string;
}

const SCOPE = 'server';
const KEY = 'tls-authority';
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const SUBJECT_ALT_NAME = '2.5.29.17';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
/** Fixed dates: the sandbox's clock may differ from the machine's, and a client validates by the machine's. */
const NOT_BEFORE = Date.UTC(2020, 0, 1);
const NOT_AFTER = Date.UTC(2060, 0, 1);

/** Created once and stored, so that clients keep their trust in the authority. */
export function readTlsAuthority(vault: Vault, random: Random): TlsAuthority {
  const kept = vault.read(SCOPE, KEY);
  if (kept) return fromBytes<TlsAuthority>(kept);
  const made = createTlsAuthority(random);
  vault.write(SCOPE, KEY, toBytes(made));
  return made;
}

export function createTlsAuthority(random: Random): TlsAuthority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // by this name a client that trusts several sandboxes finds the right authority
  const name = `Parley sandbox authority ${Buffer.from(random.bytes(8)).toString('hex')}`;
  const caPem = certificate({
    ...{ subject: name, issuer: name, publicKey, issuerKey: privateKey, serial: random.bytes(16) },
    extensions: [
      extension(BASIC_CONSTRAINTS, der.sequence(der.boolean(true)), { critical: true }),
      extension(KEY_USAGE, der.bitString(Buffer.of(0b0000_0100), 2), { critical: true }), // keyCertSign
    ],
  });
  return { name, caPem, caKeyPem: pemOf(privateKey) };
}

/** A server certificate for these host names and addresses. */
export function issueTlsIdentity(
  authority: TlsAuthority,
  names: readonly string[],
  random: Random,
): TlsIdentity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificatePem = certificate({
    subject: 'Parley sandbox media',
    publicKey,
    issuer: authority.name,
    issuerKey: createPrivateKey(authority.caKeyPem),
    serial: random.bytes(16),
    extensions: [
      extension(KEY_USAGE, der.bitString(Buffer.of(0b1000_0000), 7), { critical: true }), // digitalSignature
      extension(EXTENDED_KEY_USAGE, der.sequence(der.objectIdentifier(SERVER_AUTH))),
      extension(SUBJECT_ALT_NAME, der.sequence(...names.map(alternativeName))),
    ],
  });
  return { certificatePem, keyPem: pemOf(privateKey) };
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 0 ? der.implicit(2, Buffer.from(name)) : der.implicit(7, addressBytes(name));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The parser of URLs writes every IPv6 address in one way: without leading zeros, the longest gap as `::`.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string): number[] =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

interface CertificateOrder {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly issuer: string;
  readonly issuerKey: KeyObject;
  readonly serial: Uint8Array;
  readonly extensions: readonly Buffer[];
}

function certificate(order: CertificateOrder): string {
  const algorithm = der.sequence(der.objectIdentifier(ECDSA_WITH_SHA256));
  const content = der.sequence(
    der.explicit(0, der.integer(Buffer.of(2))), // version 3
    der.integer(positive(order.serial)),
    algorithm,
    name(order.issuer),
    der.sequence(der.generalizedTime(NOT_BEFORE), der.generalizedTime(NOT_AFTER)),
    name(order.subject),
    order.publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...order.extensions)),
  );
  const signature = sign('sha256', content, order.issuerKey);
  return pem(der.sequence(content, algorithm, der.bitString(signature)));
}

function name(commonName: string): Buffer {
  const attribute = der.sequence(der.objectIdentifier(COMMON_NAME), der.utf8String(commonName));
  return der.sequence(der.set(attribute));
}

function extension(id: string, value: Buffer, { critical = false } = {}): Buffer {
  const mark = critical ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(id), ...mark, der.octetString(value));
}

/** A serial number must not begin with a zero byte, which DER would omit. */
function positive(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of((bytes[0] ?? 0) | 0x40), bytes.subarray(1)]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
