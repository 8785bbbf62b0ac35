import { challengeOf, type Onboarding, type PasskeyCredential, type PasskeyOptions } from '@parley/contract';
import type { SealedBox } from '#kernel';

/** Question to a passkey as stored. */
interface Question<Options = PasskeyOptions> {
  readonly options: Options;
  /** Valid until, epoch ms. */
  readonly until: number;
  /** Token of the page on which the owner can answer. */
  readonly token: string;
}

/** An answer and its question: another question may have come up meanwhile. */
export type OwnersAnswer =
  | { readonly kind: 'passkey'; readonly credential: PasskeyCredential }
  | { readonly kind: 'same code'; readonly code: string };

/**
 * Seals and opens what an attempt shows and is answered. Any of it would let another person link the number, so none
 * is stored open.
 */
export interface PairingSecrets {
  sealText(id: string, text: string): Uint8Array;
  openText(id: string, box: Uint8Array): string;
  sealQuestion(id: string, question: Question): Uint8Array;
  openQuestion(id: string, box: Uint8Array): Question<NonNullable<Onboarding['passkey']>['options']>;
  sealAnswer(id: string, answer: OwnersAnswer): Uint8Array;
  openAnswer(id: string, box: Uint8Array): OwnersAnswer;
}

// Separate contexts: an answer must not pass for a shown value, nor for one of another attempt.
export const contextOfShown = (id: string): string => `onboarding ${id}`;
export const contextOfAnswer = (id: string): string => `answer to onboarding ${id}`;

export function createPairingSecrets(box: Pick<SealedBox, 'seal' | 'open'>): PairingSecrets {
  const seal = (text: string, context: string): Uint8Array => box.seal(Buffer.from(text), context);
  const open = (sealed: Uint8Array, context: string): string =>
    Buffer.from(box.open(sealed, context)).toString();
  return {
    sealText: (id, text) => seal(text, contextOfShown(id)),
    openText: (id, sealed) => open(sealed, contextOfShown(id)),
    sealQuestion: (id, question) => seal(JSON.stringify(question), contextOfShown(id)),
    openQuestion: (id, sealed) => JSON.parse(open(sealed, contextOfShown(id))),
    sealAnswer: (id, given) => seal(JSON.stringify(given), contextOfAnswer(id)),
    openAnswer: (id, sealed) => JSON.parse(open(sealed, contextOfAnswer(id))),
  };
}

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

/** `K7QF2MXB` → `K7QF-2MXB` */
export function grouped(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
