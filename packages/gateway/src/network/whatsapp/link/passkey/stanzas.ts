import { type BinaryNode, getBinaryNodeChild, S_WHATSAPP_NET, type WASocket } from 'baileys';
import { parsedJson } from '#kernel';
import type { PasskeyCredential, PasskeyOptions } from '../../../port.ts';
import { queryNetwork, textOf } from '../queries.ts';
import { type Primary, readPrimary } from './maths.ts';

/** Stanzas of the passkey ceremony. */

export const PROLOGUE_REQUESTED = 'CB:notification,type:passkey_prologue_request';
export const CONTINUED = 'CB:notification,type:crsc_continuation';

/** The server's address has no user part; some clients leave out the at sign. */
const SERVERS: ReadonlySet<string | undefined> = new Set([S_WHATSAPP_NET, S_WHATSAPP_NET.slice(1)]);

/** Stanzas of any other sender are ignored. */
export function isFromNetwork({ attrs }: BinaryNode): boolean {
  return SERVERS.has(attrs.from);
}

/** Undefined when they are missing or invalid. */
export function optionsIn(node: BinaryNode): PasskeyOptions | undefined {
  const options = parsedJson(textOf(getBinaryNodeChild(node, 'passkey_request_options')) ?? '');
  return isOptions(options) ? options : undefined;
}

function isOptions(value: unknown): value is PasskeyOptions {
  if (typeof value !== 'object' || value === null) return false;
  const challenge: unknown = Reflect.get(value, 'challenge');
  return typeof challenge === 'string' && challenge !== '';
}

export function primaryIn(node: BinaryNode): Primary | undefined {
  const content = getBinaryNodeChild(node, 'primary_ephemeral_identity')?.content;
  return content instanceof Uint8Array ? readPrimary(content) : undefined;
}

export interface SignedPrologue {
  readonly credential: PasskeyCredential;
  readonly payload: Uint8Array;
  readonly proof: Uint8Array | undefined;
}

/** Requests and replies of the ceremony; each rejects when the network refuses it or does not answer. */
export function conversationOver(sock: Pick<WASocket, 'query'>) {
  const ask = (part: BinaryNode): Promise<BinaryNode> =>
    queryNetwork(sock, { type: 'get', xmlns: 'md' }, [part]);
  const order = async (part: BinaryNode): Promise<void> => {
    await queryNetwork(sock, { type: 'set', xmlns: 'md' }, [part]);
  };
  return {
    options: async () => optionsIn(await ask({ tag: 'passkey_request_options', attrs: {} })),
    ref: async () => textOf(getBinaryNodeChild(await ask({ tag: 'ref', attrs: {} }), 'ref')),
    prologue: (signed: SignedPrologue) => order(prologueOf(signed)),
    nonce: (nonce: Uint8Array) => order(part('companion_nonce', nonce)),
    pairingRequest: (sealed: Uint8Array) => order(part('encrypted_pairing_request', sealed)),
  };
}

function prologueOf({ credential, payload, proof }: SignedPrologue): BinaryNode {
  return part('passkey_prologue', [
    part('credential_id', Buffer.from(credential.rawId, 'base64url')),
    part('webauthn_assertion', Buffer.from(JSON.stringify(assertionOf(credential)))),
    part('prologue_payload', payload),
    ...(proof ? [part('pairing_handoff_proof', proof)] : []),
  ]);
}

/** Leaves out the fields that browsers add and the network does not accept. */
function assertionOf({ id, rawId, type, response }: PasskeyCredential) {
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

function part(tag: string, content: Uint8Array | BinaryNode[]): BinaryNode {
  return { tag, attrs: {}, content };
}
