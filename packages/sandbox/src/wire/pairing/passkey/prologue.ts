import { decoded, parsedJson } from '@parley/contract/plain';
import { proto } from 'baileys';
import type { PasskeyAssertion } from '../../../world/index.ts';
import { Refusal } from '../../errors.ts';
import { fieldsOf, textIn } from '../../json-fields.ts';
import { child, childBytes, type Node } from '../../transport/nodes.ts';

/** A client's message after its passkey was used. */
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

/** Refuses invalid input with 400, as the network does. */
export function readPrologue(order: Node): Prologue {
  const prologue = child(order, 'passkey_prologue');
  const payload = childBytes(prologue, 'prologue_payload');
  const credentialId = childBytes(prologue, 'credential_id');
  const assertion = readAssertion(childBytes(prologue, 'webauthn_assertion'));
  if (!payload || !assertion || credentialId?.toString('base64url') !== assertion.rawId) throw malformed();
  const { companionEphemeralIdentity: identity, commitment } = decodedOrRefused(() =>
    proto.ProloguePayload.decode(payload),
  );
  if (!identity || commitment?.hash?.length !== KEY_BYTES) throw malformed();
  const { publicKey, deviceType, ref } = decodedOrRefused(() =>
    proto.CompanionEphemeralIdentity.decode(identity),
  );
  if (publicKey?.length !== KEY_BYTES || !ref || typeof deviceType !== 'number') throw malformed();
  const proof = childBytes(prologue, 'pairing_handoff_proof');
  return { assertion, payload, identity, publicKey, deviceType, ref, commitment: commitment.hash, proof };
}

export function malformed(): Refusal {
  return new Refusal(400, 'bad-request');
}

export function decodedOrRefused<T extends object>(decode: () => T): T {
  const read = decoded(decode);
  if (!read) throw malformed();
  return read;
}

const BASE64URL = /^[\w-]+$/;

function readAssertion(bytes: Buffer | undefined): PasskeyAssertion | undefined {
  if (!bytes) return undefined;
  const said = fieldsOf(parsedJson(bytes.toString()));
  const { userHandle = null, ...answer } = fieldsOf(said.response);
  const [id, rawId] = [textIn(said.id), textIn(said.rawId)];
  const [clientDataJSON, authenticatorData, signature] = [
    textIn(answer.clientDataJSON),
    textIn(answer.authenticatorData),
    textIn(answer.signature),
  ];
  const texts = [id, rawId, clientDataJSON, authenticatorData, signature];
  const isWhole = texts.every((text) => BASE64URL.test(text));
  if (!isWhole || id !== rawId || said.type !== 'public-key') return undefined;
  if (userHandle !== null && typeof userHandle !== 'string') return undefined;
  return {
    id,
    rawId,
    type: said.type,
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  };
}
