import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Curve, proto, WA_CERT_DETAILS } from 'baileys';
import { describe, expect, test } from 'vitest';
import { createLibraryLog, installGuards, isSignedBy, trusting } from './index.ts';

installGuards();

describe('signatures', () => {
  const signer = Curve.generateKeyPair();
  const message = Buffer.from('a certificate');

  test('accepts a valid signature and rejects any other 64 bytes', () => {
    const signature = Curve.sign(signer.private, message);
    expect(Curve.verify(signer.public, message, signature)).toBe(true);
    expect(Curve.verify(signer.public, Buffer.from('another'), signature)).toBe(false);
    expect(Curve.verify(signer.public, message, Buffer.alloc(64, 7))).toBe(false);
    expect(isSignedBy(signer.public, message, Buffer.alloc(3))).toBe(false);
  });

  test('installing the guards twice changes nothing', () => {
    const before = Curve.verify;
    installGuards();
    expect(Curve.verify).toBe(before);
  });
});

describe('the certificate chain of a server', () => {
  const NOW = 1_800_000_000;
  const DAY = 86_400;
  const root = Curve.generateKeyPair();
  const intermediate = Curve.generateKeyPair();
  const server = Curve.generateKeyPair();
  const client = Curve.generateKeyPair();
  const { Details } = proto.CertChain.NoiseCertificate;
  const valid = { notBefore: NOW - DAY, notAfter: NOW + DAY };

  interface Forgery {
    readonly leafKey?: Uint8Array;
    readonly leafIssuer?: number;
    readonly signedBy?: Uint8Array;
    readonly leafDates?: proto.CertChain.NoiseCertificate.IDetails;
    readonly intermediateDates?: proto.CertChain.NoiseCertificate.IDetails;
  }

  /** Makes the calls of the library's handshake, in its order. */
  function handshake(forged: Forgery = {}): boolean {
    const above = Details.encode({
      serial: 3,
      issuerSerial: 0,
      key: intermediate.public,
      ...(forged.intermediateDates ?? valid),
    }).finish();
    const leaf = Details.encode({
      serial: 4,
      issuerSerial: forged.leafIssuer ?? 3,
      key: forged.leafKey ?? server.public,
      ...(forged.leafDates ?? valid),
    }).finish();
    Curve.sharedKey(client.private, server.public);
    const leafIsGood = Curve.verify(intermediate.public, leaf, Curve.sign(intermediate.private, leaf));
    const signature = Curve.sign(forged.signedBy ?? root.private, above);
    return leafIsGood && Curve.verify(WA_CERT_DETAILS.PUBLIC_KEY, above, signature);
  }

  const now = (): number => NOW * 1_000;
  const believed = (forged?: Forgery): boolean =>
    trusting({ rootPublicKey: root.public, now }, () => handshake(forged));

  test('is accepted under the root that the connection trusts', () => {
    expect(believed()).toBe(true);
  });

  test('is refused under the root of the real network, and outside of any trust setting', () => {
    expect(trusting({ now }, handshake)).toBe(false);
    expect(handshake()).toBe(false);
  });

  test('is refused when another authority signed it', () => {
    expect(believed({ signedBy: client.private })).toBe(false);
  });

  test('is refused when the leaf belongs to another server', () => {
    expect(believed({ leafKey: client.public })).toBe(false);
  });

  test('is refused when the leaf names another issuer', () => {
    expect(believed({ leafIssuer: 9 })).toBe(false);
  });

  test.each([
    ['expired', { notBefore: NOW - 2 * DAY, notAfter: NOW - 1 }],
    ['not valid yet', { notBefore: NOW + 1, notAfter: NOW + DAY }],
    ['without dates', {}],
  ])('is refused when one of its certificates is %s', (_, dates) => {
    expect(believed({ leafDates: dates })).toBe(false);
    expect(believed({ intermediateDates: dates })).toBe(false);
  });
});

test('silences libsignal and no other module', () => {
  const script = `
    const { silenceLibsignal } = await import(${JSON.stringify(new URL('./library-log.ts', import.meta.url).href)});
    const { SessionRecord } = await import('libsignal');
    const session = { indexInfo: { closed: -1 }, rootKey: 'a private key' };
    if (process.argv[1] === 'guarded') silenceLibsignal();
    new SessionRecord().closeSession(session);
    console.info('hello from the gateway');`;
  const run = (argument: string): string =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script, argument], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
  expect(run('bare')).toContain('a private key');
  expect(run('guarded')).toBe('hello from the gateway\n');
});

test('logs the library’s problems by code and sentence, without details, addresses and long texts', () => {
  const lines: unknown[] = [];
  const log = createLibraryLog({
    debug: (details, message) => lines.push([details, message]),
    warn: () => {},
  });
  log
    .child({ phone: '15550001001' })
    .error({ err: { message: 'secret', output: { statusCode: 515 } } }, 'failed to read 15550001001@c.us');
  log.warn('Buffer timeout reached');
  log.warn({ text: 'secret' }, 'secret '.repeat(100));
  log.info({ key: 'secret' }, 'secret');
  const said = 'the network library reported a problem';
  expect(lines).toEqual([
    [{ code: 515, cause: 'failed to read …@c.us' }, said],
    [{ code: undefined, cause: 'Buffer timeout reached' }, said],
    [{ code: undefined, cause: undefined }, said],
  ]);
});

/** Tables, counts and hosts, and numbers, which are cut out. */
const IN_SENTENCES = [
  'attemptsMap[name]',
  'hostname',
  "isLast ? '' : ', retrying...'",
  'keyId',
  'keyType',
  'lid',
  'lidUser',
  'msg',
  'name',
  'pn',
  'retriesLeft',
  'states[name].version',
];

test('knows everything that the library puts into its sentences', () => {
  const lib = dirname(fileURLToPath(import.meta.resolve('baileys')));
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  const put = files.flatMap((file) => {
    const calls = readFileSync(join(lib, file), 'utf8').matchAll(/\.(?:warn|error)\([^;]{0,300}?`([^`]*)`/g);
    return [...calls].flatMap(([, text = '']) =>
      [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, value]) => value),
    );
  });
  expect([...new Set(put)].toSorted()).toEqual(IN_SENTENCES);
});
