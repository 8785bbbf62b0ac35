import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { decoded } from '@parley/contract/plain';
import { Curve, type KeyPair, proto } from 'baileys';

/**
 * Noise with 25519, AESGCM and SHA256, server side: XX for a client that does not know the server, IK for one that remembers its
 * key and saves a round trip, XXfallback for one that remembers another key. A name of 32 bytes is the initial hash and key as it
 * stands.
 */
const PATTERNS = {
  XX: Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0'),
  IK: Buffer.from('Noise_IK_25519_AESGCM_SHA256\0\0\0\0'),
  XXfallback: createHash('sha256').update('Noise_XXfallback_25519_AESGCM_SHA256').digest(),
};
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const NOTHING = Buffer.alloc(0);

export interface HandshakeOptions {
  /** The client's intro. */
  readonly prologue: Uint8Array;
  /** One per connection, never reused. */
  readonly ephemeral: KeyPair;
  readonly staticKey: KeyPair;
  /** Encoded CertChain whose leaf names `staticKey`. */
  readonly certificates: Uint8Array;
}

export interface ServerHandshake {
  /** Takes the client's first frame and returns the server's. With a known server key this completes the handshake. */
  hello(frame: Uint8Array): { readonly answer: Uint8Array; readonly finished?: Finished };
  /** Takes the client's second frame. Throws when it does not belong to this handshake. */
  finish(frame: Uint8Array): Finished;
}

export interface Finished {
  /** The client's long-lived Noise key, by which the server identifies a linked device. */
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
  const start = (pattern: keyof typeof PATTERNS): SymmetricState => {
    const state = createSymmetricState(PATTERNS[pattern]);
    state.mixHash(prologue);
    return state;
  };
  let state = start('XX');

  /** Undefined when the client used another server's key. */
  const resume = ({ ephemeral: theirs, static: sealedKey, payload }: ResumeHello): Resumed | undefined => {
    const resumed = start('IK');
    resumed.mixHash(staticKey.public);
    resumed.mixHash(theirs);
    resumed.mixKey(Curve.sharedKey(staticKey.private, theirs));
    return decoded(() => {
      const clientKey = resumed.decrypt(sealedKey);
      resumed.mixKey(Curve.sharedKey(staticKey.private, clientKey));
      return { resumed, clientKey, payload: proto.ClientPayload.decode(resumed.decrypt(payload)) };
    });
  };

  const greetKnown = ({ resumed, clientKey, payload }: Resumed, theirs: Uint8Array) => {
    resumed.mixHash(ephemeral.public);
    resumed.mixKey(Curve.sharedKey(ephemeral.private, theirs));
    resumed.mixKey(Curve.sharedKey(ephemeral.private, clientKey));
    const serverHello = { ephemeral: ephemeral.public, payload: resumed.encrypt(certificates) };
    return {
      answer: proto.HandshakeMessage.encode({ serverHello }).finish(),
      finished: { clientKey, payload, cipher: resumed.split() },
    };
  };

  const greetStranger = (theirs: Uint8Array) => {
    state.mixHash(theirs);
    state.mixHash(ephemeral.public);
    state.mixKey(Curve.sharedKey(ephemeral.private, theirs));
    const encryptedStatic = state.encrypt(staticKey.public);
    state.mixKey(Curve.sharedKey(staticKey.private, theirs));
    const serverHello = {
      ephemeral: ephemeral.public,
      static: encryptedStatic,
      payload: state.encrypt(certificates),
    };
    return { answer: proto.HandshakeMessage.encode({ serverHello }).finish() };
  };

  return {
    hello(frame) {
      const {
        ephemeral: theirs,
        static: sealedKey,
        payload,
      } = proto.HandshakeMessage.decode(frame).clientHello ?? {};
      if (theirs?.length !== KEY_BYTES) throw new Error('client hello without a key');
      if (!sealedKey?.length || !payload?.length) return greetStranger(theirs);
      const resumed = resume({ ephemeral: theirs, static: sealedKey, payload });
      if (resumed) return greetKnown(resumed, theirs);
      state = start('XXfallback');
      return greetStranger(theirs);
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

/** The first message of a client that remembers the server's key. */
interface ResumeHello {
  readonly ephemeral: Uint8Array;
  readonly static: Uint8Array;
  readonly payload: Uint8Array;
}

interface Resumed extends Omit<Finished, 'cipher'> {
  readonly resumed: SymmetricState;
}

type SymmetricState = ReturnType<typeof createSymmetricState>;

function createSymmetricState(name: Buffer) {
  let hash = name;
  let chainingKey = name;
  let key = name;
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
