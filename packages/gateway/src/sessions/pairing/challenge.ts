import { challengeOf, type PasskeyCredential, type PasskeyOptions } from '@parley/contract';

/**
 * Whether an assertion answers this very challenge. The network checks the signature; a replayed assertion must not
 * even reach it.
 */
export function answersChallenge(
  { response }: PasskeyCredential,
  { challenge }: Pick<PasskeyOptions, 'challenge'>,
): boolean {
  const answered = challengeOf(response);
  // Compared as bytes: the network may encode its challenge in another base 64 than browsers do.
  return answered !== undefined && bytesOf(answered).equals(bytesOf(challenge));
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64url');
}
