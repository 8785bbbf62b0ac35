import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
} from 'node:crypto';
import { proto } from 'baileys';
import { describe, expect, it } from 'vitest';
import { createServerHandshake } from './noise.ts';

/**
 * The client side of the handshake, written from the Noise specification with hashes, HMACs and AES only: it shares no line with
 * the server, so that a mistake on one side cannot cancel out.
 */

const raw = (hex: string) => Buffer.from(hex, 'hex');
const privateOf = (seed: Buffer) =>
  createPrivateKey({
    key: Buffer.concat([raw('302e020100300506032b656e04220420'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
const publicOf = (seed: Buffer) =>
  createPublicKey(privateOf(seed)).export({ format: 'der', type: 'spki' }).subarray(-32);
const pair = (seed: Buffer) => ({ private: seed, public: publicOf(seed) });
const dh = (seed: Buffer, other: Uint8Array) =>
  diffieHellman({
    privateKey: privateOf(seed),
    publicKey: createPublicKey({
      key: Buffer.concat([raw('302a300506032b656e032100'), other]),
      format: 'der',
      type: 'spki',
    }),
  });
const sha256 = (...parts: Uint8Array[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hmac = (key: Uint8Array, ...parts: Uint8Array[]) => {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};
/** HKDF with two outputs, as in the Noise specification. */
const hkdf2 = (chainingKey: Buffer, input: Uint8Array): [Buffer, Buffer] => {
  const temporary = hmac(chainingKey, input);
  const first = hmac(temporary, Buffer.of(1));
  return [first, hmac(temporary, first, Buffer.of(2))];
};
const iv = (counter: number) => Buffer.concat([Buffer.alloc(8), Buffer.of(0, 0, 0, counter)]);
const seal = (key: Buffer, counter: number, associated: Buffer, plaintext: Uint8Array) => {
  const cipher = createCipheriv('aes-256-gcm', key, iv(counter)).setAAD(associated);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
};
const open = (key: Buffer, counter: number, associated: Buffer, sealed: Uint8Array) => {
  const cipher = createDecipheriv('aes-256-gcm', key, iv(counter)).setAAD(associated);
  cipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
};

const seeds = {
  clientEphemeral: raw('77076d0a7318a57d3c16c17251b26645df4cce1e5d4f7ae9a3b9ccb3a6f2b0d8'),
  clientStatic: raw('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'),
  serverEphemeral: raw('1111111111111111111111111111111111111111111111111111111111111111'),
  serverStatic: raw('2222222222222222222222222222222222222222222222222222222222222222'),
};
const certificates = Buffer.from('a chain of certificates');
const payload = proto.ClientPayload.encode({ username: 15550002001, device: 3 }).finish();

function startServer() {
  return createServerHandshake({
    prologue: raw('57410603'),
    ephemeral: pair(seeds.serverEphemeral),
    staticKey: pair(seeds.serverStatic),
    certificates,
  });
}

/** The first frame of a client that remembers `known` as the server's key, and the expected keys after the answer. */
function resumeWith(known: Buffer) {
  let h: Buffer = Buffer.from('Noise_IK_25519_AESGCM_SHA256\0\0\0\0');
  h = sha256(h, raw('57410603'));
  h = sha256(h, known);
  h = sha256(h, publicOf(seeds.clientEphemeral));
  let [ck, key] = hkdf2(
    Buffer.from('Noise_IK_25519_AESGCM_SHA256\0\0\0\0'),
    dh(seeds.clientEphemeral, known),
  );
  const ownStatic = seal(key, 0, h, publicOf(seeds.clientStatic));
  h = sha256(h, ownStatic);
  [ck, key] = hkdf2(ck, dh(seeds.clientStatic, known));
  const ownPayload = seal(key, 0, h, payload);
  h = sha256(h, ownPayload);
  const clientHello = { ephemeral: publicOf(seeds.clientEphemeral), static: ownStatic, payload: ownPayload };
  const frame = proto.HandshakeMessage.encode({ clientHello }).finish();
  return { frame, h, ck };
}

function runClient(pattern: 'XX' | 'XXfallback' = 'XX') {
  const server = startServer();
  const name =
    pattern === 'XX'
      ? Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0')
      : sha256(Buffer.from('Noise_XXfallback_25519_AESGCM_SHA256'));
  const clientHello = { ephemeral: publicOf(seeds.clientEphemeral) };
  const first =
    pattern === 'XX'
      ? proto.HandshakeMessage.encode({ clientHello }).finish()
      : resumeWith(publicOf(raw('33'.repeat(32)))).frame;
  let h: Buffer = name;
  let ck = h;
  let key = h;
  const mixKey = (secret: Buffer) => {
    [ck, key] = hkdf2(ck, secret);
  };
  h = sha256(h, raw('57410603'));
  h = sha256(h, publicOf(seeds.clientEphemeral));
  const { answer, finished } = server.hello(first);
  expect(finished).toBeUndefined();
  const { serverHello } = proto.HandshakeMessage.decode(answer);
  const ephemeral = Buffer.from(serverHello?.ephemeral ?? []);
  h = sha256(h, ephemeral);
  mixKey(dh(seeds.clientEphemeral, ephemeral));
  const encryptedStatic = Buffer.from(serverHello?.static ?? []);
  const serverStatic = open(key, 0, h, encryptedStatic);
  h = sha256(h, encryptedStatic);
  mixKey(dh(seeds.clientEphemeral, serverStatic));
  const encryptedChain = Buffer.from(serverHello?.payload ?? []);
  const chain = open(key, 0, h, encryptedChain);
  h = sha256(h, encryptedChain);
  const ownStatic = seal(key, 1, h, publicOf(seeds.clientStatic));
  h = sha256(h, ownStatic);
  mixKey(dh(seeds.clientStatic, ephemeral));
  const ownPayload = seal(key, 0, h, payload);
  const finishFrame = proto.HandshakeMessage.encode({
    clientFinish: { static: ownStatic, payload: ownPayload },
  }).finish();
  const [toServer, toClient] = hkdf2(ck, Buffer.alloc(0));
  return { server, serverStatic, chain, finishFrame, toServer, toClient };
}

describe('the Noise handshake', () => {
  it.each(['XX', 'XXfallback'] as const)(
    'agrees with a client written from the specification: %s',
    (pattern) => {
      const { server, serverStatic, chain, finishFrame, toServer, toClient } = runClient(pattern);
      expect(serverStatic).toEqual(publicOf(seeds.serverStatic));
      expect(chain).toEqual(certificates);
      const finished = server.finish(finishFrame);
      expect(finished.clientKey).toEqual(publicOf(seeds.clientStatic));
      expect(Number(finished.payload.username)).toBe(15550002001);
      expect(finished.payload.device).toBe(3);
      const none = Buffer.alloc(0);
      for (const counter of [0, 1, 2]) {
        const words = Buffer.from(`stanza ${counter}`);
        expect(finished.cipher.decrypt(seal(toServer, counter, none, words))).toEqual(words);
        expect(open(toClient, counter, none, finished.cipher.encrypt(words))).toEqual(words);
      }
    },
  );

  it("ends after one round for a client with the server's key", () => {
    const { frame, ck: agreed, h: received } = resumeWith(publicOf(seeds.serverStatic));
    const { answer, finished } = startServer().hello(frame);
    const { serverHello } = proto.HandshakeMessage.decode(answer);
    expect(serverHello?.static ?? []).toHaveLength(0);
    const ephemeral = Buffer.from(serverHello?.ephemeral ?? []);
    const h = sha256(received, ephemeral);
    let [ck, key] = hkdf2(agreed, dh(seeds.clientEphemeral, ephemeral));
    [ck, key] = hkdf2(ck, dh(seeds.clientStatic, ephemeral));
    expect(open(key, 0, h, Buffer.from(serverHello?.payload ?? []))).toEqual(certificates);
    expect(finished?.clientKey).toEqual(publicOf(seeds.clientStatic));
    expect(Number(finished?.payload.username)).toBe(15550002001);
    const [toServer, toClient] = hkdf2(ck, Buffer.alloc(0));
    const words = Buffer.from('stanza');
    const none = Buffer.alloc(0);
    expect(finished?.cipher.decrypt(seal(toServer, 0, none, words))).toEqual(words);
    expect(open(toClient, 0, none, finished?.cipher.encrypt(words) ?? none)).toEqual(words);
  });

  it('ends in these keys, for ever', () => {
    const { toServer, toClient } = runClient();
    expect(sha256(toServer, toClient).toString('hex')).toBe(
      '2b60afbf4cc95c05370c50e02d12d74993795678131f35936e9e3c1cb9f616c6',
    );
  });

  it('refuses a finish with any changed part', () => {
    const { finishFrame } = runClient();
    for (const position of [6, 40, 70, finishFrame.length - 1]) {
      const altered = Buffer.from(finishFrame);
      altered[position] = (altered[position] ?? 0) ^ 1;
      const { server } = runClient();
      expect(() => server.finish(altered)).toThrow();
    }
  });

  it('refuses a hello without a key', () => {
    const server = startServer();
    expect(() => server.hello(Buffer.alloc(0))).toThrow();
    expect(() => server.hello(Buffer.from('garbage'))).toThrow();
  });
});
