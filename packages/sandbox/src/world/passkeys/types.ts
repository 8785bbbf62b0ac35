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
