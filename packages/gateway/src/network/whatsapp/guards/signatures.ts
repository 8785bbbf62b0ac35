import { AsyncLocalStorage } from 'node:async_hooks';
import { Curve, proto, toNumber, WA_CERT_DETAILS } from 'baileys';
import { verifySignature } from 'libsignal/src/curve.js';
import { decoded } from '#kernel';

/**
 * Repairs the library's signature checks. Baileys calls the verification and drops its answer, so that any 64 bytes pass: for the
 * certificate chain of the server, for the account that links a device, for other people's signed prekeys. `Curve` is an exported object
 * that all of its callers go through, so the repair is a replacement of two of its functions, made once per process.
 *
 * The chain of the server is checked in full: the library forgets to compare the key that the leaf certifies with the key that the server
 * really used, so any certified leaf could be presented by anyone. The handshake is synchronous and always makes the same four calls
 * (agree on ephemeral, agree on static, verify leaf, verify intermediate), so at the last of them the other parts are known. It does not
 * look at their dates either; here both must be valid now, and one without dates is valid never, as for other clients of the network.
 */
export function repairSignatureChecks(): void {
  if (repaired) return;
  repaired = true;
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

let repaired = false;

/** What a connection goes by when its server shows its certificates. */
export interface Trust {
  /** Absent: that of the real network. */
  readonly rootPublicKey?: Uint8Array | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Of a connection that was made outside of `trusting`: no certificate is valid then. */
const unknownTime = (): number => Number.NaN;

/**
 * Whose certificates the connections made inside `work` believe, and when. The library knows one root for the whole process; the context of the
 * connection knows better, so that a sandbox and the real network can be used side by side and neither is believed to be the other.
 */
export function trusting<T>(trusted: Trust, work: () => T): T {
  return trust.run(trusted, work);
}

const trust = new AsyncLocalStorage<Trust>();

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
