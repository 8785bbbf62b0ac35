import { challengeOf, type PasskeyCredential, type PasskeyOptions } from '@parley/contract';

/** Whether an assertion was made for this very question. The signature is the network's to check; a replayed one must not even get there. */
export function answersChallenge(
  { response }: PasskeyCredential,
  { challenge }: Pick<PasskeyOptions, 'challenge'>,
): boolean {
  const answered = challengeOf(response);
  // Compared as bytes: the network may write its challenge in another base 64 than browsers do.
  return answered !== undefined && bytesOf(answered).equals(bytesOf(challenge));
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64url');
}
