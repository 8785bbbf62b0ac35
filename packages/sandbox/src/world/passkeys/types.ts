import { type PhoneNumber, WorldError } from '../types.ts';

/** WebAuthn as JSON: bytes are base64url without padding. */

/** What a browser is asked in order to sign in, as the network words it. */
export interface PasskeyRequest {
  readonly challenge: string;
  readonly timeout: number;
  readonly rpId: string;
  readonly allowCredentials: readonly [];
  readonly userVerification: 'required';
  readonly extensions: { readonly uvm: true };
}

/** What a browser is asked in order to make a passkey. */
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

/** What the browser answers when a passkey was made. */
export type PasskeyAttestation = Credential<{
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}>;

/** What the browser answers when one was used. */
export type PasskeyAssertion = Credential<{
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle?: string | null;
}>;

/** How the linking of a guarded phone goes wrong on purpose. */
export const PASSKEY_FAULTS = [
  /** The request comes without its options; they are given when they are asked for. */
  'passkey_options_missing',
  /** No assertion is good enough. */
  'passkey_refused',
  /** The assertion is taken, and nothing more is heard of the phone. */
  'passkey_no_continuation',
  /** The network asks anew while the first assertion is on its way. */
  'passkey_second_request',
  /** The phone answers a code without a key of its own, so that both sides have no secret in common. */
  'passkey_bare_code',
] as const;

export type PasskeyFault = (typeof PASSKEY_FAULTS)[number];

export class NotVerified extends WorldError {
  constructor(options?: { readonly cause: unknown }) {
    super('bad_request', 'this is not a passkey for this phone', options);
  }
}

/** The passkeys of phones that are guarded by one, and the network's own word on whether one was used. */
export interface Passkeys {
  /** The ids of those that a phone has. */
  of(phone: PhoneNumber): string[];
  /** What a browser is to be asked in order to make one; the latest question is the one that counts. */
  creation(phone: PhoneNumber): PasskeyCreation;
  /** `conflict` when nothing was asked, `bad_request` when it is no passkey, or one for another question, host or phone. */
  keep(phone: PhoneNumber, attestation: PasskeyAttestation): Promise<void>;
  /** A fresh question to whoever wants to be linked; undefined when the phone has no passkey to answer it with. */
  request(phone: PhoneNumber): PasskeyRequest | undefined;
  /** Whether a passkey of this phone signed this challenge, where it may be used, with its owner present. */
  verify(phone: PhoneNumber, challenge: string, assertion: PasskeyAssertion): Promise<boolean>;
  /** Linking this phone goes wrong in this way, `count` times. */
  arm(phone: PhoneNumber, fault: PasskeyFault, count: number): void;
  /** Asked where it could go wrong; uses up one count. */
  meets(phone: PhoneNumber, fault: PasskeyFault): boolean;
}
