import { Curve, type KeyPair, proto } from 'baileys';
import { type Clock, unixSeconds } from '../ports.ts';

/**
 * The certificate chain of the handshake: root → intermediate → leaf, and the leaf names the server's own static key. The root is
 * created once and stored, so that a client can pin it; the two below it are signed at each start.
 */

const ROOT_SERIAL = 0; // the client compares the intermediate's issuer to exactly this
const INTERMEDIATE_SERIAL = 1;
const LEAF_SERIAL = 2;
const DAY_SECONDS = 86_400;
const LIFETIME_SECONDS = 365 * DAY_SECONDS;

export interface ServerIdentity {
  readonly root: KeyPair;
  readonly staticKey: KeyPair;
}

/** Returns an encoded CertChain that is valid now, and signs a new one only when the last one is about to expire. */
export function createCertificateIssuer({
  identity,
  clock,
}: {
  identity: ServerIdentity;
  clock: Clock;
}): () => Uint8Array {
  let issued: { chain: Uint8Array; renewAt: number } | undefined;

  return () => {
    const now = unixSeconds(clock);
    if (!issued || now >= issued.renewAt) {
      issued = { chain: issueChain(identity, now), renewAt: now + LIFETIME_SECONDS - DAY_SECONDS };
    }
    return issued.chain;
  };
}

function issueChain({ root, staticKey }: ServerIdentity, now: number): Uint8Array {
  const intermediate = Curve.generateKeyPair();
  const validity = { notBefore: now - DAY_SECONDS, notAfter: now + LIFETIME_SECONDS };
  return proto.CertChain.encode({
    intermediate: sign(root, {
      ...validity,
      serial: INTERMEDIATE_SERIAL,
      issuerSerial: ROOT_SERIAL,
      key: intermediate.public,
    }),
    leaf: sign(intermediate, {
      ...validity,
      serial: LEAF_SERIAL,
      issuerSerial: INTERMEDIATE_SERIAL,
      key: staticKey.public,
    }),
  }).finish();
}

function sign(issuer: KeyPair, content: proto.CertChain.NoiseCertificate.IDetails) {
  const details = proto.CertChain.NoiseCertificate.Details.encode(content).finish();
  return { details, signature: Curve.sign(issuer.private, details) };
}
