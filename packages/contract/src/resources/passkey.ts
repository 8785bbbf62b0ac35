import Type from 'typebox';
import { PASSKEY_FIELD_MAX_LENGTH } from '../limits.ts';
import { closed, EXPECTS, named, nullable, oneOf } from '../schema.ts';
import { parsedJson } from '../tools/decode.ts';
import { compileParse } from '../validate/compile.ts';
import { type Complaint, complaint, type Parsed, refused } from '../validate/complaint.ts';
import { isObject } from '../validate/explain.ts';

/** The network's request to a passkey: `PublicKeyCredentialRequestOptionsJSON`, passed on unchecked and complete. */
export interface PasskeyOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly timeout?: number;
  readonly allowCredentials?: readonly unknown[];
  readonly userVerification?: string;
  readonly extensions?: object;
  readonly [more: string]: unknown;
}

export const PasskeyOptions = named(
  'PasskeyOptions',
  {
    challenge: Type.String({ description: 'base64url without padding.' }),
    rpId: Type.Optional(Type.String({ examples: ['whatsapp.com'] })),
    timeout: Type.Optional(Type.Number({ description: 'Milliseconds.' })),
    allowCredentials: Type.Optional(Type.Array(Type.Unknown())),
    userVerification: Type.Optional(Type.String({ examples: ['required'] })),
    extensions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  {
    additionalProperties: true,
    description:
      'Takes the way into `navigator.credentials.get()` through `PublicKeyCredential.parseRequestOptionsFromJSON()`.',
    examples: [
      {
        challenge: 'q0vX2mP1u8hZ3w',
        rpId: 'whatsapp.com',
        timeout: 600_000,
        allowCredentials: [],
        userVerification: 'required',
      },
    ],
  },
);

const Base64Url = Type.String({
  pattern: '^[A-Za-z0-9_-]+$',
  maxLength: PASSKEY_FIELD_MAX_LENGTH,
  [EXPECTS]: `base64url without padding, at most ${PASSKEY_FIELD_MAX_LENGTH} characters`,
});

/** Example whose parts are consistent; its signature is invalid. */
export const PASSKEY_CREDENTIAL_EXAMPLE = {
  id: 'kT9v0o1p4w',
  rawId: 'kT9v0o1p4w',
  type: 'public-key',
  response: {
    clientDataJSON:
      'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoicTB2WDJtUDF1OGhaM3ciLCJvcmlnaW4iOiJodHRwczovL3dlYi53aGF0c2FwcC5jb20ifQ',
    authenticatorData: 'aJ2b6Q0Bq3s',
    signature: 'MEUCIQDp2w',
  },
};

/** Assertion in the form of `PublicKeyCredential.toJSON()`. Further members, which browsers add, are dropped. */
export const PasskeyCredential = closed(
  {
    id: Base64Url,
    rawId: Base64Url,
    type: oneOf(['public-key']),
    response: closed({
      clientDataJSON: Base64Url,
      authenticatorData: Base64Url,
      signature: Base64Url,
      userHandle: Type.Optional(nullable(Base64Url)),
    }),
  },
  {
    title: 'PasskeyCredential',
    description:
      'What `PublicKeyCredential.toJSON()` gives. Further members of it may come along; they are not looked at.',
    examples: [PASSKEY_CREDENTIAL_EXAMPLE],
  },
);
export type PasskeyCredential = Type.Static<typeof PasskeyCredential>;

const checkCredential = compileParse(PasskeyCredential);

export function parsePasskeyCredential(body: unknown): Parsed<PasskeyCredential> {
  const parsed = checkCredential(withoutFurtherMembers(body)) as Parsed<PasskeyCredential>;
  if (!parsed.ok) return parsed;
  const wrong = credentialComplaint(parsed.value);
  return wrong === null ? parsed : refused(wrong);
}

function withoutFurtherMembers(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { id, rawId, type, response } = body;
  return { id, rawId, type, response: isObject(response) ? withoutFurtherParts(response) : response };
}

function withoutFurtherParts({
  clientDataJSON,
  authenticatorData,
  signature,
  userHandle,
}: Record<string, unknown>) {
  // Some password managers send an empty handle for none.
  const handle = userHandle === undefined || userHandle === '' ? {} : { userHandle };
  return { clientDataJSON, authenticatorData, signature, ...handle };
}

function credentialComplaint({ id, rawId, response }: PasskeyCredential): Complaint | null {
  if (id !== rawId) return complaint('rawId', 'rawId must be the same as id');
  if (challengeOf(response) === undefined) {
    return complaint(
      'response.clientDataJSON',
      'response.clientDataJSON must be the client data of an assertion (webauthn.get) with its challenge',
    );
  }
  return null;
}

/** Challenge of an assertion, base64url; undefined when it is no assertion. */
export function challengeOf({
  clientDataJSON,
}: Pick<PasskeyCredential['response'], 'clientDataJSON'>): string | undefined {
  const data = parsedJson(Buffer.from(clientDataJSON, 'base64url').toString());
  if (!isObject(data) || data.type !== 'webauthn.get') return undefined;
  return typeof data.challenge === 'string' && data.challenge !== '' ? data.challenge : undefined;
}
