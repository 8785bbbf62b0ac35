import { type PasskeyCredential, type PasskeyOptions, parsedJson } from '@parley/contract';

/** Whether this page's host belongs to the passkey's site; browsers sign for no other. */
export function signsHere({ rpId }: PasskeyOptions, host = location.hostname): boolean {
  return rpId !== undefined && (host === rpId || host.endsWith(`.${rpId}`));
}

export class NotSigned extends Error {}

/** For `catch`: null when the owner declines or has no passkey here; throws every other error. */
function unlessDeclined(thrown: unknown): null {
  if (thrown instanceof DOMException) return null;
  throw thrown;
}

export async function signHere(options: PasskeyOptions): Promise<PasskeyCredential> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey }).catch(unlessDeclined);
  const signed: unknown = credential instanceof PublicKeyCredential ? credential.toJSON() : null;
  if (!isCredential(signed)) throw new NotSigned();
  return asCredential(signed);
}

/** Parses a pasted assertion, or one from an extension. Undefined when it is no assertion. */
export function readCredential(text: string): PasskeyCredential | undefined {
  const found = parsedJson(text);
  return isCredential(found) ? asCredential(found) : undefined;
}

/** Drops fields that only this browser needs. */
function asCredential({ id, rawId, response }: PasskeyCredential): PasskeyCredential {
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  };
}

export function isCredential(found: unknown): found is PasskeyCredential {
  if (typeof found !== 'object' || found === null || !('response' in found)) return false;
  const { response } = found;
  const parts = ['clientDataJSON', 'authenticatorData', 'signature'];
  return (
    typeof response === 'object' &&
    response !== null &&
    ['id', 'rawId'].every((name) => typeof Reflect.get(found, name) === 'string') &&
    parts.every((name) => typeof Reflect.get(response, name) === 'string')
  );
}

/** Script for the console of the network's own site, which may sign; copies the answer to the clipboard. */
export function snippetFor(options: PasskeyOptions): string {
  return [
    '(async (put) => {',
    `  const options = ${JSON.stringify(options)};`,
    '  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);',
    '  const credential = await navigator.credentials.get({ publicKey });',
    '  put(JSON.stringify(credential.toJSON()));',
    "  console.log('Copied. Go back to the page and paste it there.');",
    '})(copy);',
  ].join('\n');
}

/** Site of the network's passkeys. */
export const NETWORK_SITE = 'https://web.whatsapp.com/';
