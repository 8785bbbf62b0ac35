import {
  type AuthenticationCreds,
  aesEncryptCTR,
  type BinaryNode,
  bytesToCrockford,
  DisconnectReason,
  derivePairingCodeKey,
  getCompanionPlatformId,
  type WABrowserDescription,
  type WASocket,
} from 'baileys';
import type { Random } from '#kernel';
import { codeOf } from '../errors.ts';
import { queryNetwork } from './queries.ts';

/** Reason for a missing code, one sentence for the account owner. */
export class NoCode extends Error {
  override readonly name = 'NoCode';
}

const CODE_BYTES = 5;
const SALT_BYTES = 32;
const IV_BYTES = 16;

/**
 * Client name that the phone shows while the owner types the code. The network gives codes only to well-known
 * browsers and systems. The name in the list of linked devices is another one, set when the client connects.
 */
const DISPLAY: WABrowserDescription = ['Ubuntu', 'Chrome', ''];

/**
 * Requests a code that links `phone`. The library's own call ignores the answer and would show a code that the
 * network has refused. After the owner has typed the code the library continues, with what is stored in `creds`
 * here.
 */
export async function requestPairingCode(
  sock: Pick<WASocket, 'query'>,
  { creds, phone, random }: { creds: AuthenticationCreds; phone: string; random: Pick<Random, 'bytes'> },
): Promise<string> {
  const code = bytesToCrockford(Buffer.from(random.bytes(CODE_BYTES)));
  creds.pairingCode = code;
  // The library's placeholder until it receives the real name.
  creds.me = { id: `${phone}@s.whatsapp.net`, name: '~' };
  const wrapped = await wrapEphemeralKey(creds, code, random);
  const hello = companionHello(creds, creds.me.id, wrapped);
  await queryNetwork(sock, { type: 'set', xmlns: 'md' }, [hello]).catch((error: unknown) => {
    const refusal = codeOf(error);
    // A connection that was lost meanwhile is no answer.
    if (refusal === DisconnectReason.connectionClosed) throw error;
    throw new NoCode(REASONS.get(refusal) ?? 'The network gave no pairing code; link by QR instead.', {
      cause: error,
    });
  });
  return code;
}

export function companionHello(
  { noiseKey }: Pick<AuthenticationCreds, 'noiseKey'>,
  jid: string,
  wrapped: Uint8Array,
): BinaryNode {
  const [system, browser] = DISPLAY;
  const part = (tag: string, content: Uint8Array | string): BinaryNode => ({ tag, attrs: {}, content });
  return {
    tag: 'link_code_companion_reg',
    attrs: { jid, stage: 'companion_hello', should_show_push_notification: 'true' },
    content: [
      part('link_code_pairing_wrapped_companion_ephemeral_pub', wrapped),
      part('companion_server_auth_key_pub', noiseKey.public),
      part('companion_platform_id', getCompanionPlatformId(DISPLAY)),
      part('companion_platform_display', `${browser} (${system})`),
      part('link_code_pairing_nonce', '0'),
    ],
  };
}

async function wrapEphemeralKey(
  { pairingEphemeralKeyPair }: AuthenticationCreds,
  code: string,
  random: Pick<Random, 'bytes'>,
): Promise<Buffer> {
  const salt = Buffer.from(random.bytes(SALT_BYTES));
  const iv = Buffer.from(random.bytes(IV_BYTES));
  const key = await derivePairingCodeKey(code, salt);
  return Buffer.concat([salt, iv, aesEncryptCTR(pairingEphemeralKeyPair.public, key, iv)]);
}

const REASONS: ReadonlyMap<number | undefined, string> = new Map([
  [undefined, 'The network did not answer the request for a pairing code; try again.'],
  [400, 'The network gives no pairing code to this client; link by QR instead.'],
  [429, 'Too many pairing codes were asked for; wait some minutes, or link by QR.'],
]);
