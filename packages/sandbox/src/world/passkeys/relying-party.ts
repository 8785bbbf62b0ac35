import {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import type { PasskeyAssertion, PasskeyAttestation } from './types.ts';

/** What a browser answered is held against the standard by a library that shares nothing with our own code. */

interface Asked {
  readonly rpId: string;
  readonly challenge: string;
}

interface MadePasskey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
}

export async function verifyAttestation({
  attestation,
  rpId,
  challenge,
}: Asked & { attestation: PasskeyAttestation }): Promise<MadePasskey | undefined> {
  const origin = originOf(attestation.response, rpId);
  if (!origin) return undefined;
  const { id, rawId, type, response } = attestation;
  const { clientDataJSON, attestationObject } = response;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch(() => ({ verified: false, registrationInfo: undefined }));
  if (!verified || !registrationInfo) return undefined;
  const { credential } = registrationInfo;
  return { credentialId: credential.id, publicKey: credential.publicKey, counter: credential.counter };
}

export async function verifyAssertion({
  assertion,
  rpId,
  challenge,
  passkey,
}: Asked & {
  assertion: PasskeyAssertion;
  passkey: Pick<WebAuthnCredential, 'id' | 'publicKey' | 'counter'>;
}): Promise<{ counter: number } | undefined> {
  const origin = originOf(assertion.response, rpId);
  if (!origin) return undefined;
  const { id, rawId, type, response } = assertion;
  const { clientDataJSON, authenticatorData, signature } = response;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: passkey,
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  return verified && authenticationInfo ? { counter: authenticationInfo.newCounter } : undefined;
}

/** The origin that a browser signed in, when it is one where passkeys of this network may be used: the host itself, or below it. */
function originOf({ clientDataJSON }: { clientDataJSON: string }, rpId: string): string | undefined {
  try {
    const { origin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const { hostname } = new URL(origin);
    return hostname === rpId || hostname.endsWith(`.${rpId}`) ? origin : undefined;
  } catch {
    return undefined;
  }
}
