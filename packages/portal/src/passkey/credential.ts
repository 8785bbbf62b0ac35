import { type PasskeyCredential, type PasskeyOptions, parsedJson } from '@parley/contract';

/** Browsers sign for the site of the page and for no other: whether this one belongs to the name that the passkey is for. */
export function signsHere({ rpId }: PasskeyOptions, host = location.hostname): boolean {
  return rpId !== undefined && (host === rpId || host.endsWith(`.${rpId}`));
}

export class NotSigned extends Error {}

/** For `catch`: the browser says so when its owner declines, or has no passkey here. */
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

/** What somebody has pasted, or an extension has sent. Undefined when it is not an assertion at all. */
export function readCredential(text: string): PasskeyCredential | undefined {
  const found = parsedJson(text);
  return isCredential(found) ? asCredential(found) : undefined;
}

/** Without what only this browser needs. */
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

/** For the console of the network's own site, which may sign; the answer goes to the clipboard. */
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

/** Where the network's passkeys are signed for. */
export const NETWORK_SITE = 'https://web.whatsapp.com/';
