import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Vault } from '../../world/index.ts';
import { fromBytes, toBytes } from '../json-bytes.ts';
import type { Random } from '../ports.ts';
import * as der from './der.ts';

/** Clients upload by HTTPS only, so the sandbox is its own certificate authority, trusted by its own clients only. */

export interface TlsIdentity {
  readonly caPem: string;
  readonly certificatePem: string;
  readonly keyPem: string;
}

const SCOPE = 'server';
const KEY = 'tls-identity';
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
export function readTlsIdentity(vault: Vault, random: Random): TlsIdentity {
  const kept = vault.read(SCOPE, KEY);
  if (kept) return fromBytes<TlsIdentity>(kept);
  const made = createTlsIdentity(random);
  vault.write(SCOPE, KEY, toBytes(made));
  return made;
}

export function createTlsIdentity(random: Random): TlsIdentity {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // by this name a client that trusts several sandboxes finds the right authority
  const authorityName = `Parley sandbox authority ${Buffer.from(random.bytes(8)).toString('hex')}`;
  const issue = (subject: string, publicKey: KeyObject, extensions: Buffer[]): string =>
    certificate({
      subject,
      publicKey,
      extensions,
      issuer: authorityName,
      issuerKey: authority.privateKey,
      serial: random.bytes(16),
    });
  return {
    caPem: issue(authorityName, authority.publicKey, [
      extension(BASIC_CONSTRAINTS, der.sequence(der.boolean(true)), { critical: true }),
      extension(KEY_USAGE, der.bitString(Buffer.of(0b0000_0100), 2), { critical: true }), // keyCertSign
    ]),
    certificatePem: issue('Parley sandbox media', server.publicKey, [
      extension(KEY_USAGE, der.bitString(Buffer.of(0b1000_0000), 7), { critical: true }), // digitalSignature
      extension(EXTENDED_KEY_USAGE, der.sequence(der.objectIdentifier(SERVER_AUTH))),
      extension(
        SUBJECT_ALT_NAME,
        der.sequence(der.implicit(2, Buffer.from('localhost')), der.implicit(7, Buffer.of(127, 0, 0, 1))),
      ),
    ]),
    keyPem: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
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
