import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { Curve, type KeyPair, proto } from 'baileys';

/** Noise_XX_25519_AESGCM_SHA256, server side. The name is 32 bytes long, so it is the first hash and key as it stands. */

const PROTOCOL_NAME = Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0');
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const NOTHING = Buffer.alloc(0);

export interface HandshakeOptions {
  /** How the client introduced itself. */
  readonly prologue: Uint8Array;
  /** One per connection, never reused. */
  readonly ephemeral: KeyPair;
  readonly staticKey: KeyPair;
  /** Encoded CertChain whose leaf names `staticKey`. */
  readonly certificates: Uint8Array;
}

export interface ServerHandshake {
  /** Takes the client's first frame and answers with the server's. */
  hello(frame: Uint8Array): Uint8Array;
  /** Takes the client's second frame. Throws when it was not made for this handshake. */
  finish(frame: Uint8Array): Finished;
}

export interface Finished {
  /** The client's long-lived Noise key: what the server knows a linked device by. */
  readonly clientKey: Buffer;
  readonly payload: proto.ClientPayload;
  readonly cipher: TransportCipher;
}

export interface TransportCipher {
  encrypt(plaintext: Uint8Array): Buffer;
  decrypt(ciphertext: Uint8Array): Buffer;
}

export function createServerHandshake({
  prologue,
  ephemeral,
  staticKey,
  certificates,
}: HandshakeOptions): ServerHandshake {
  const state = createSymmetricState();
  state.mixHash(prologue);

  return {
    hello(frame) {
      const clientEphemeral = proto.HandshakeMessage.decode(frame).clientHello?.ephemeral;
      if (clientEphemeral?.length !== KEY_BYTES) throw new Error('client hello without a key');
      state.mixHash(clientEphemeral);
      state.mixHash(ephemeral.public);
      state.mixKey(Curve.sharedKey(ephemeral.private, clientEphemeral));
      const encryptedStatic = state.encrypt(staticKey.public);
      state.mixKey(Curve.sharedKey(staticKey.private, clientEphemeral));
      const payload = state.encrypt(certificates);
      return proto.HandshakeMessage.encode({
        serverHello: { ephemeral: ephemeral.public, static: encryptedStatic, payload },
      }).finish();
    },

    finish(frame) {
      const { clientFinish } = proto.HandshakeMessage.decode(frame);
      if (!clientFinish?.static || !clientFinish.payload) throw new Error('client finish is incomplete');
      const clientKey = state.decrypt(clientFinish.static);
      state.mixKey(Curve.sharedKey(ephemeral.private, clientKey));
      const payload = proto.ClientPayload.decode(state.decrypt(clientFinish.payload));
      return { clientKey, payload, cipher: state.split() };
    },
  };
}

function createSymmetricState() {
  let hash: Buffer = PROTOCOL_NAME;
  let chainingKey: Buffer = PROTOCOL_NAME;
  let key: Buffer = PROTOCOL_NAME;
  let counter = 0;

  const mixHash = (data: Uint8Array): void => {
    hash = createHash('sha256').update(hash).update(data).digest();
  };
  const derive = (input: Uint8Array): [Buffer, Buffer] => {
    const both = Buffer.from(hkdfSync('sha256', input, chainingKey, '', 2 * KEY_BYTES));
    return [both.subarray(0, KEY_BYTES), both.subarray(KEY_BYTES)];
  };

  return {
    mixHash,
    mixKey(sharedSecret: Uint8Array): void {
      [chainingKey, key] = derive(sharedSecret);
      counter = 0;
    },
    encrypt(plaintext: Uint8Array): Buffer {
      const ciphertext = seal(key, counter++, hash, plaintext);
      mixHash(ciphertext);
      return ciphertext;
    },
    decrypt(ciphertext: Uint8Array): Buffer {
      const plaintext = open(key, counter++, hash, ciphertext);
      mixHash(ciphertext);
      return plaintext;
    },
    split(): TransportCipher {
      const [fromClient, fromServer] = derive(NOTHING);
      let received = 0;
      let sent = 0;
      return {
        encrypt: (plaintext) => seal(fromServer, sent++, NOTHING, plaintext),
        decrypt: (ciphertext) => open(fromClient, received++, NOTHING, ciphertext),
      };
    },
  };
}

function nonce(counter: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(counter, 8);
  return bytes;
}

function seal(key: Buffer, counter: number, associated: Buffer, plaintext: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce(counter));
  cipher.setAAD(associated);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, counter: number, associated: Buffer, ciphertext: Uint8Array): Buffer {
  if (ciphertext.length < TAG_BYTES) throw new Error('ciphertext shorter than its tag');
  const split = ciphertext.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce(counter));
  decipher.setAAD(associated);
  decipher.setAuthTag(ciphertext.subarray(split));
  return Buffer.concat([decipher.update(ciphertext.subarray(0, split)), decipher.final()]);
}
