import { AsyncLocalStorage } from 'node:async_hooks';
import { Curve, proto, toNumber, WA_CERT_DETAILS } from 'baileys';
import { SessionCipher } from 'libsignal';
import { verifySignature } from 'libsignal/src/curve.js';
import { decoded } from '#kernel';
import { bytesIn } from '../convert/protobuf.ts';

/**
 * Repairs the library's signature checks. Baileys calls the verification and ignores its result, so that any 64
 * bytes pass: for the certificate chain of the server, for the account that links a device, for signed prekeys
 * of peers. `Curve` is an exported object that all callers use, so two of its functions are replaced, once per
 * process.
 *
 * The chain of the server is checked in full: the library does not compare the key that the leaf certifies with
 * the key that the server used, so anyone could present any certified leaf. The handshake is synchronous and
 * always makes the same four calls (agree on ephemeral, agree on static, verify leaf, verify intermediate), so
 * at the last of them the other parts are known. The library does not check dates either; here both certificates
 * must be valid now, and one without dates is never valid, as in other clients of the network.
 */
export function repairSignatureChecks(): void {
  if (signaturesRepaired) return;
  signaturesRepaired = true;
  const agree = Curve.sharedKey;
  let agreedWith: Uint8Array = new Uint8Array();
  let verifiedBefore: Uint8Array = new Uint8Array();

  Curve.sharedKey = (privateKey, publicKey) => {
    agreedWith = publicKey;
    return agree(privateKey, publicKey);
  };

  Curve.verify = (publicKey, message, signature) => {
    if (publicKey !== WA_CERT_DETAILS.PUBLIC_KEY) {
      verifiedBefore = message;
      return isSignedBy(publicKey, message, signature);
    }
    const { rootPublicKey = publicKey, now = unknownTime } = trust.getStore() ?? {};
    return (
      isSignedBy(rootPublicKey, message, signature) &&
      certifiesServer(verifiedBefore, message, agreedWith, now())
    );
  };
}

let signaturesRepaired = false;

/** Trust settings for the server's certificates of a connection. */
interface Trust {
  /** Absent: the root of the real network. */
  readonly rootPublicKey?: Uint8Array | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Adapts the first message of the connection, which names its client. */
  readonly introduce?: (payload: proto.IClientPayload) => proto.IClientPayload;
}

/** For a connection made outside of `trusting`: no certificate is valid. */
const unknownTime = (): number => Number.NaN;

/**
 * Sets the trusted root and the clock for connections made inside `work`. The library has one root for the whole
 * process; the asynchronous context has one per connection, so that a sandbox and the real network can be used
 * side by side without trusting each other's root.
 */
export function trusting<T>(trusted: Trust, work: () => T): T {
  return trust.run(trusted, work);
}

const trust = new AsyncLocalStorage<Trust>();

/**
 * Lets each connection adapt its first message: the library builds it from constants of its own. The encoder is a
 * method of an exported object, so it is replaced, once per process.
 */
export function adaptIntroductions(): void {
  if (introductionsAdapted) return;
  introductionsAdapted = true;
  const { encode } = proto.ClientPayload;
  proto.ClientPayload.encode = (payload, writer) =>
    encode(trust.getStore()?.introduce?.(payload) ?? payload, writer);
}

let introductionsAdapted = false;

const KEY_BYTES = 32;
const DJB_KEY_TYPE = Buffer.from([5]);

export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = Buffer.concat([DJB_KEY_TYPE, publicKey.subarray(-KEY_BYTES)]);
  return decoded(() => verifySignature(key, Buffer.from(message), Buffer.from(signature))) ?? false;
}

function certifiesServer(
  leafDetails: Uint8Array,
  intermediateDetails: Uint8Array,
  serverKey: Uint8Array,
  now: number,
): boolean {
  const leaf = proto.CertChain.NoiseCertificate.Details.decode(leafDetails);
  const intermediate = proto.CertChain.NoiseCertificate.Details.decode(intermediateDetails);
  return (
    leaf.issuerSerial === intermediate.serial &&
    Buffer.from(leaf.key ?? []).equals(serverKey) &&
    [leaf, intermediate].every((certificate) => isValidAt(now, certificate))
  );
}

function isValidAt(now: number, { notBefore, notAfter }: proto.CertChain.NoiseCertificate.IDetails): boolean {
  const seconds = Math.floor(now / 1_000);
  return toNumber(notBefore ?? 0) <= seconds && seconds <= toNumber(notAfter ?? 0);
}

/** `SyncActionValue.nctSaltSyncAction.salt` */
const SALT_ACTION = 80;
const SALT = 1;

/** Index of the entry with the salt; an entry without a salt removes it. */
export const SALT_INDEX = 'nct_salt_sync';

/** Name of the field beside those that the library decodes. */
export const SALT_NAME = 'nctSalt';

/**
 * Adds the salt for first contacts to the library's schema of the state that a phone shares with its linked
 * devices. The decoder is a method of an exported object, so it is replaced by one that also reads this field.
 */
export function readSaltField(): void {
  if (saltReaderInstalled) return;
  saltReaderInstalled = true;
  const decode = proto.SyncActionValue.decode;
  proto.SyncActionValue.decode = (source, length) => {
    const bytes =
      source instanceof Uint8Array
        ? source.subarray(0, length)
        : source.buf.subarray(source.pos, length === undefined ? source.len : source.pos + length);
    const salt = bytesIn(bytesIn(bytes, SALT_ACTION), SALT);
    const value = decode(source, length);
    return salt ? Object.assign(value, { [SALT_NAME]: Uint8Array.from(salt) }) : value;
  };
}

let saltReaderInstalled = false;

/**
 * Restores sessions that a message did not fit. Two devices often have several sessions with each other: both
 * opened one at the same moment, or one of them started over. libsignal tries a message on each session, and
 * every try steps that session's ratchet before the MAC shows that the message belongs to another. When another
 * one fits, the record is stored with all of them. Messages sent through a session with such a step cannot be
 * read, and libsignal sends through the session that was opened last. Here a session that did not fit is
 * restored.
 *
 * The step is a method of the cipher that all callers use, so it is replaced, once per process.
 */
export function repairRatchets(): void {
  if (ratchetsRepaired) return;
  ratchetsRepaired = true;
  // The published types lack this internal method.
  const cipher = SessionCipher.prototype as unknown as { doDecryptWhisperMessage: Decrypt };
  const decrypt = cipher.doDecryptWhisperMessage;
  cipher.doDecryptWhisperMessage = async function (message, session) {
    const before = session?.serialize();
    try {
      return await decrypt.call(this, message, session);
    } catch (failure) {
      if (session) Object.assign(session, session.constructor.deserialize(before));
      throw failure;
    }
  };
}

let ratchetsRepaired = false;

type Decrypt = (message: Buffer, session: SessionEntry | undefined) => Promise<Buffer>;

/** One of the sessions in a record. */
interface SessionEntry {
  serialize(): unknown;
  readonly constructor: { deserialize(serialized: unknown): SessionEntry };
}
