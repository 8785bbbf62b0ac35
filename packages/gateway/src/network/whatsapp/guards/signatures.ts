import { AsyncLocalStorage } from 'node:async_hooks';
import { Curve, proto, WA_CERT_DETAILS } from 'baileys';
import { verifySignature } from 'libsignal/src/curve.js';

/**
 * Repairs the library's signature checks. Baileys calls the verification and drops its answer, so that any 64 bytes pass: for the
 * certificate chain of the server, for the account that links a device, for other people's signed prekeys. `Curve` is an exported object
 * that all of its callers go through, so the repair is a replacement of two of its functions, made once per process.
 *
 * The chain of the server is checked in full: the library forgets to compare the key that the leaf certifies with the key that the server
 * really used, so any certified leaf could be presented by anyone. The handshake is synchronous and always makes the same four calls
 * (agree on ephemeral, agree on static, verify leaf, verify intermediate), so at the last of them the other parts are known.
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
    const root = rootOfTrust.getStore() ?? publicKey;
    return isSignedBy(root, message, signature) && certifiesServer(verifiedBefore, message, agreedWith);
  };
}

let repaired = false;

/**
 * Whose certificates the connections made inside `work` believe. The library knows one root for the whole process; the context of the
 * connection knows better, so that a sandbox and the real network can be used side by side and neither is believed to be the other.
 */
export function trusting<T>(rootPublicKey: Uint8Array | undefined, work: () => T): T {
  return rootOfTrust.run(rootPublicKey, work);
}

const rootOfTrust = new AsyncLocalStorage<Uint8Array | undefined>();

const KEY_BYTES = 32;
const DJB_KEY_TYPE = Buffer.from([5]);

export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = Buffer.concat([DJB_KEY_TYPE, publicKey.subarray(-KEY_BYTES)]);
  try {
    return verifySignature(key, Buffer.from(message), Buffer.from(signature));
  } catch {
    return false;
  }
}

function certifiesServer(
  leafDetails: Uint8Array,
  intermediateDetails: Uint8Array,
  serverKey: Uint8Array,
): boolean {
  const leaf = proto.CertChain.NoiseCertificate.Details.decode(leafDetails);
  const intermediate = proto.CertChain.NoiseCertificate.Details.decode(intermediateDetails);
  return leaf.issuerSerial === intermediate.serial && Buffer.from(leaf.key ?? []).equals(serverKey);
}
