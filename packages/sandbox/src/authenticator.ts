import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion, PasskeyAttestation, PasskeyCreation, PasskeyRequest } from './world/index.ts';

/**
 * A software authenticator for programs that link guarded phones without a browser: returns what `navigator.credentials` would
 * return at an origin, as JSON. User presence is always given.
 */
export interface SoftAuthenticator {
  create(options: Pick<PasskeyCreation, 'challenge' | 'rp' | 'user'>): PasskeyAttestation;
  /** Uses the newest passkey of the host; throws when there is none. */
  get(options: Pick<PasskeyRequest, 'challenge'> & { readonly rpId?: string }): PasskeyAssertion;
}

interface Passkey {
  readonly id: Buffer;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  uses: number;
}

const ID_BYTES = 16;
const AAGUID = Buffer.alloc(16);
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

export function createSoftAuthenticator({ origin }: { origin: string }): SoftAuthenticator {
  const passkeys: Passkey[] = [];

  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  return {
    create({ challenge, rp, user }) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const passkey = { id: randomBytes(ID_BYTES), rpId: rp.id, userHandle: user.id, privateKey, uses: 0 };
      passkeys.push(passkey);
      const idLength = Buffer.alloc(2);
      idLength.writeUInt16BE(ID_BYTES);
      const data = Buffer.concat([
        authenticatorData(passkey, PRESENT | VERIFIED | ATTESTED),
        AAGUID,
        idLength,
        passkey.id,
        coseKey(publicKey),
      ]);
      return {
        ...named(passkey),
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: cbor(
            new Map<string, Cbor>([
              ['fmt', 'none'],
              ['attStmt', new Map()],
              ['authData', data],
            ]),
          ).toString('base64url'),
        },
      };
    },

    get({ challenge, rpId = new URL(origin).hostname }) {
      const passkey = passkeys.findLast((candidate) => candidate.rpId === rpId);
      if (!passkey) throw new Error(`there is no passkey for ${rpId}`);
      passkey.uses += 1;
      const client = clientData('webauthn.get', challenge);
      const data = authenticatorData(passkey, PRESENT | VERIFIED);
      const signed = Buffer.concat([data, sha256(client)]);
      return {
        ...named(passkey),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, passkey.privateKey).toString('base64url'),
          userHandle: passkey.userHandle,
        },
      };
    },
  };
}

function named({ id }: Passkey) {
  const text = id.toString('base64url');
  return { id: text, rawId: text, type: 'public-key' } as const;
}

function authenticatorData({ rpId, uses }: Passkey, flags: number): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(uses);
  return Buffer.concat([sha256(rpId), Buffer.of(flags), counter]);
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** RFC 9053: kty EC2, alg ES256, crv P-256, then the point. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** The part of RFC 8949 that a passkey needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  const parts = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([cborHead(5, value.size), ...parts]);
}

function cborHead(major: number, argument: number): Buffer {
  const type = major << 5;
  if (argument < 24) return Buffer.of(type | argument);
  if (argument < 256) return Buffer.of(type | 24, argument);
  return Buffer.of(type | 25, argument >> 8, argument & 0xff);
}
