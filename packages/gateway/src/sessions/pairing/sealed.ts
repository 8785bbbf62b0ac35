import type { Onboarding, PasskeyCredential, PasskeyOptions } from '@parley/contract';
import type { SealedBox } from '#kernel';

/** The question to a passkey as it lies in the database. */
interface Question<Options = PasskeyOptions> {
  readonly options: Options;
  /** Good until then, epoch ms. */
  readonly until: number;
  /** Of the page on which the number's owner can answer. */
  readonly token: string;
}

/** What was answered, and to which question: another may have come up meanwhile. */
export type OwnersAnswer =
  | { readonly kind: 'passkey'; readonly credential: PasskeyCredential }
  | { readonly kind: 'same code'; readonly code: string };

/** Writes and reads what an attempt shows and is answered. All of it would let somebody else link the number, so that none of it lies open. */
export interface PairingSecrets {
  sealText(id: string, text: string): Uint8Array;
  openText(id: string, box: Uint8Array): string;
  sealQuestion(id: string, question: Question): Uint8Array;
  openQuestion(id: string, box: Uint8Array): Question<NonNullable<Onboarding['passkey']>['options']>;
  sealAnswer(id: string, answer: OwnersAnswer): Uint8Array;
  openAnswer(id: string, box: Uint8Array): OwnersAnswer;
}

// An answer must not be taken for something shown, nor one attempt's for another's.
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
