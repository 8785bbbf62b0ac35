import { proto } from 'baileys';
import type { PasskeyAssertion } from '../../../world/index.ts';
import { Refusal } from '../../errors.ts';
import { child, childBytes, type Node } from '../../transport/nodes.ts';

/** What a client says when a passkey was used for it. */
export interface Prologue {
  readonly assertion: PasskeyAssertion;
  readonly payload: Buffer;
  readonly identity: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly deviceType: number;
  readonly ref: string;
  readonly commitment: Uint8Array;
  readonly proof: Buffer | undefined;
}

const KEY_BYTES = 32;

/** Refuses with 400 what the network would not understand. */
export function readPrologue(order: Node): Prologue {
  const prologue = child(order, 'passkey_prologue');
  const payload = childBytes(prologue, 'prologue_payload');
  const credentialId = childBytes(prologue, 'credential_id');
  const assertion = readAssertion(childBytes(prologue, 'webauthn_assertion'));
  if (!payload || !assertion || credentialId?.toString('base64url') !== assertion.rawId) throw malformed();
  const { companionEphemeralIdentity: identity, commitment } = decoded(() =>
    proto.ProloguePayload.decode(payload),
  );
  if (!identity || commitment?.hash?.length !== KEY_BYTES) throw malformed();
  const { publicKey, deviceType, ref } = decoded(() => proto.CompanionEphemeralIdentity.decode(identity));
  if (publicKey?.length !== KEY_BYTES || !ref || typeof deviceType !== 'number') throw malformed();
  const proof = childBytes(prologue, 'pairing_handoff_proof');
  return { assertion, payload, identity, publicKey, deviceType, ref, commitment: commitment.hash, proof };
}

export function malformed(): Refusal {
  return new Refusal(400, 'bad-request');
}

export function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch {
    throw malformed();
  }
}

const BASE64URL = /^[\w-]+$/;

function readAssertion(bytes: Buffer | undefined): PasskeyAssertion | undefined {
  if (!bytes) return undefined;
  const { id, rawId, type, response } = decoded(() => JSON.parse(bytes.toString())) ?? {};
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response ?? {};
  const texts = [id, rawId, clientDataJSON, authenticatorData, signature];
  const isWhole = texts.every((text) => typeof text === 'string' && BASE64URL.test(text));
  if (!isWhole || id !== rawId || type !== 'public-key') return undefined;
  if (userHandle !== null && typeof userHandle !== 'string') return undefined;
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } };
}
