import type { LinkedDevice, PhoneNumber } from '../types.ts';

/**
 * A phone in somebody's hand, held before a screen that wants to be linked. The link layer implements it: it knows what
 * its QR and its codes mean. `gone` for an expired QR, `not_found` for one nobody shows.
 *
 * Both resolve when the screen is linked. A phone that is guarded by a passkey calls `onGuarded` when it begins to wait for that, which may
 * take minutes.
 */
export interface PairingService {
  scan(phone: PhoneNumber, qr: string, onGuarded?: () => void): Promise<LinkedDevice>;
  enterCode(phone: PhoneNumber, code: string, onGuarded?: () => void): Promise<LinkedDevice>;
  /** What a guarded phone shows while it is being linked. */
  guarded(phone: PhoneNumber): GuardedScreen | undefined;
}

export type GuardedScreen =
  /** "Continue on your other device." */
  | { readonly stage: 'continue' }
  /** "Do both devices show this code?" */
  | { readonly stage: 'compare'; readonly code: string };
