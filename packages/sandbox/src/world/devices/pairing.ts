import type { LinkedDevice, PhoneNumber } from '../types.ts';

/**
 * A phone in front of a screen that asks to be linked. The link layer implements it, because it knows its QR and pairing codes.
 * `gone` for an expired QR, `not_found` for one that no screen shows. Both methods resolve when the screen is linked. A phone
 * with a passkey calls `onGuarded` when it begins to wait for the passkey, which may take minutes.
 */
export interface PairingService {
  scan(phone: PhoneNumber, qr: string, onGuarded?: () => void): Promise<LinkedDevice>;
  enterCode(phone: PhoneNumber, code: string, onGuarded?: () => void): Promise<LinkedDevice>;
  /** What a guarded phone shows during its linking. */
  guarded(phone: PhoneNumber): GuardedScreen | undefined;
}

export type GuardedScreen =
  /** "Continue on your other device." */
  | { readonly stage: 'continue' }
  /** "Do both devices show this code?" */
  | { readonly stage: 'compare'; readonly code: string };
