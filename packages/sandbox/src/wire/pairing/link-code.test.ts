import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Curve } from 'baileys';
import { describe, expect, it } from 'vitest';
import { agreeAdvSecret, unwrapEphemeral, wrapEphemeral } from './link-code.ts';

const code = 'ABCD2345';
const random = { bytes: (length: number) => randomBytes(length) };

/** RFC 5869, written out. */
function hkdf(input: Buffer, salt: Buffer, info: string, length: number): Buffer {
  const key = createHmac('sha256', salt.length > 0 ? salt : Buffer.alloc(32))
    .update(input)
    .digest();
  let block: Buffer = Buffer.alloc(0);
  let output: Buffer = Buffer.alloc(0);
  for (let n = 1; output.length < length; n += 1) {
    block = createHmac('sha256', key).update(block).update(info).update(Buffer.of(n)).digest();
    output = Buffer.concat([output, block]);
  }
  return output.subarray(0, length);
}

describe('the wrapped ephemeral key', () => {
  it('is salt, IV and AES-CTR under a key of 131,072 rounds over the code', async () => {
    const [salt, iv, key] = [randomBytes(32), randomBytes(16), randomBytes(32)];
    const cipher = createCipheriv('aes-256-ctr', pbkdf2Sync(code, salt, 131_072, 32, 'sha256'), iv);
    const wrapped = Buffer.concat([salt, iv, cipher.update(key), cipher.final()]);
    expect(await unwrapEphemeral(wrapped, code)).toEqual(key);
    expect(await unwrapEphemeral(wrapped, 'ABCD2346')).not.toEqual(key);
  });

  it('unwraps on the other side', async () => {
    const key = randomBytes(32);
    const wrapped = await wrapEphemeral(key, code, random);
    const decipher = createDecipheriv(
      'aes-256-ctr',
      pbkdf2Sync(code, wrapped.subarray(0, 32), 131_072, 32, 'sha256'),
      wrapped.subarray(32, 48),
    );
    expect(decipher.update(wrapped.subarray(48))).toEqual(key);
  });
});

describe('the agreed secret', () => {
  const phoneIdentity = Curve.generateKeyPair();
  const phoneEphemeral = Curve.generateKeyPair();
  const companionIdentity = Curve.generateKeyPair();
  const companionEphemeral = Curve.generateKeyPair();
  const secret = randomBytes(32);

  /** The companion's final message. */
  function bundle(shared: Buffer, named: Uint8Array[]): Buffer {
    const [salt, iv] = [randomBytes(32), randomBytes(12)];
    const key = hkdf(shared, salt, 'link_code_pairing_key_bundle_encryption_key', 32);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const sealed = Buffer.concat([cipher.update(Buffer.concat([...named, secret])), cipher.final()]);
    return Buffer.concat([salt, iv, sealed, cipher.getAuthTag()]);
  }
  const shared = Curve.sharedKey(companionEphemeral.private, phoneEphemeral.public);
  const agree = (wrappedBundle: Buffer) =>
    agreeAdvSecret({
      phoneIdentity,
      phoneEphemeral,
      companionEphemeral: companionEphemeral.public,
      companionIdentity: companionIdentity.public,
      wrappedBundle,
    });

  it('is what the companion derives from both key agreements and its random', () => {
    const identities = Curve.sharedKey(companionIdentity.private, phoneIdentity.public);
    const expected = hkdf(Buffer.concat([shared, identities, secret]), Buffer.alloc(0), 'adv_secret', 32);
    expect(agree(bundle(shared, [companionIdentity.public, phoneIdentity.public]))).toEqual(expected);
  });

  it('is undefined with another code, for another phone, or from invalid input', () => {
    expect(agree(bundle(randomBytes(32), [companionIdentity.public, phoneIdentity.public]))).toBeUndefined();
    expect(agree(bundle(shared, [companionIdentity.public, Curve.generateKeyPair().public]))).toBeUndefined();
    expect(agree(Buffer.alloc(0))).toBeUndefined();
    expect(agree(randomBytes(156))).toBeUndefined();
  });
});
