import { parsedJson } from '@parley/contract/plain';
import {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import { NotVerified, type PasskeyAssertion, type PasskeyAttestation } from './types.ts';

/** Verifies a browser's answer against the standard with a library that shares no code with ours. */

interface Asked {
  readonly rpId: string;
  readonly challenge: string;
}

interface MadePasskey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
}

/** Rejects with `NotVerified`. */
export async function verifyAttestation({
  attestation,
  rpId,
  challenge,
}: Asked & { attestation: PasskeyAttestation }): Promise<MadePasskey> {
  const origin = originOf(attestation.response, rpId);
  const { id, rawId, type, response } = attestation;
  const { clientDataJSON, attestationObject } = response;
  const { registrationInfo } = await verifyRegistrationResponse({
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
  }).catch(refused);
  if (!registrationInfo) throw new NotVerified();
  const { credential } = registrationInfo;
  return { credentialId: credential.id, publicKey: credential.publicKey, counter: credential.counter };
}

/** Rejects with `NotVerified`. */
export async function verifyAssertion({
  assertion,
  rpId,
  challenge,
  passkey,
}: Asked & {
  assertion: PasskeyAssertion;
  passkey: Pick<WebAuthnCredential, 'id' | 'publicKey' | 'counter'>;
}): Promise<{ counter: number }> {
  const origin = originOf(assertion.response, rpId);
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
  }).catch(refused);
  if (!verified) throw new NotVerified();
  return { counter: authenticationInfo.newCounter };
}

/** The library and its CBOR decoder throw errors of every kind for invalid input, `TypeError` among them, so that no kind can be let through. */
function refused(cause: unknown): never {
  throw new NotVerified({ cause });
}

/** The origin that the browser signed, if passkeys of this network are valid there: the host itself, or below it. */
function originOf({ clientDataJSON }: { clientDataJSON: string }, rpId: string): string {
  const said = parsedJson(Buffer.from(clientDataJSON, 'base64url').toString());
  const origin = typeof said === 'object' && said !== null && 'origin' in said ? String(said.origin) : '';
  const { hostname = '' } = URL.parse(origin) ?? {};
  if (hostname !== rpId && !hostname.endsWith(`.${rpId}`)) throw new NotVerified();
  return origin;
}
