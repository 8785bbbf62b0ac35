import { type PhoneNumber, WorldError } from '../types.ts';

/** WebAuthn as JSON: bytes are base64url without padding. */

/** Sign-in request for a browser, in the network's form. */
export interface PasskeyRequest {
  readonly challenge: string;
  readonly timeout: number;
  readonly rpId: string;
  readonly allowCredentials: readonly [];
  readonly userVerification: 'required';
  readonly extensions: { readonly uvm: true };
}

/** Request to a browser to create a passkey. */
export interface PasskeyCreation {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[];
  readonly timeout: number;
  readonly attestation: 'none';
  readonly authenticatorSelection: {
    readonly residentKey: 'required';
    readonly userVerification: 'required';
  };
}

interface Credential<Response> {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: Response;
}

/** The browser's answer to a creation. */
export type PasskeyAttestation = Credential<{
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}>;

/** The browser's answer to a sign-in. */
export type PasskeyAssertion = Credential<{
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle?: string | null;
}>;

/** Faults of linking a guarded phone, and of its logins. */
export const PASSKEY_FAULTS = [
  /** The request comes without its options, which follow on a query. */
  'passkey_options_missing',
  /** Every assertion is refused. */
  'passkey_refused',
  /** The assertion is accepted, and the phone sends nothing more. */
  'passkey_no_continuation',
  /** The network sends a new request while the first assertion is in flight. */
  'passkey_second_request',
  /** The phone answers a code without a key of its own, so that the two sides share no secret. */
  'passkey_bare_code',
  /** A linked device is let in only after the passkey was used; counts logins that were let in. */
  'passkey_at_login',
] as const;

export type PasskeyFault = (typeof PASSKEY_FAULTS)[number];

export class NotVerified extends WorldError {
  constructor(options?: { readonly cause: unknown }) {
    super('bad_request', 'this is not a passkey for this phone', options);
  }
}

/** Passkeys of guarded phones, and their verification by the network. */
export interface Passkeys {
  /** Credential ids of a phone. */
  of(phone: PhoneNumber): string[];
  /** Starts the creation of a passkey; only the latest challenge counts. */
  creation(phone: PhoneNumber): PasskeyCreation;
  /** `conflict` when no creation was requested, `bad_request` for an invalid passkey or one for another challenge, host or phone. */
  keep(phone: PhoneNumber, attestation: PasskeyAttestation): Promise<void>;
  /** A fresh challenge for a client that asks to be linked; undefined when the phone has no passkey to answer it. */
  request(phone: PhoneNumber): PasskeyRequest | undefined;
  /** Whether a passkey of this phone signed this challenge, at a valid origin, with its owner present. */
  verify(phone: PhoneNumber, challenge: string, assertion: PasskeyAssertion): Promise<boolean>;
  /** Arms the fault for the next `count` links of this phone. */
  arm(phone: PhoneNumber, fault: PasskeyFault, count: number): void;
  isArmed(phone: PhoneNumber, fault: PasskeyFault): boolean;
  /** Asked where the fault applies; uses up one count. */
  consumeFault(phone: PhoneNumber, fault: PasskeyFault): boolean;
}
