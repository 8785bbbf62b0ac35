import Type from 'typebox';
import { PRESENCE_POLICIES } from '../presence.ts';
import { IsoTime, Phone, UnixSeconds } from '../primitives.ts';
import { kept, named, nullable, oneOf } from '../schema.ts';
import { PasskeyOptions } from './passkey.ts';

export const ONBOARDING_STATUSES = [
  'pending',
  'qr',
  'code',
  'passkey',
  'confirm',
  'paired',
  'error',
] as const;
export type OnboardingStatus = (typeof ONBOARDING_STATUSES)[number];

/** Codes of failed confirmations with a passkey. */
export const PASSKEY_ERROR_CODES = [
  'passkey_missing',
  'passkey_refused',
  'passkey_expired',
  'passkey_not_continued',
  'passkey_superseded',
] as const;
export type PasskeyErrorCode = (typeof PASSKEY_ERROR_CODES)[number];

const failureFields = {
  error: Type.Optional(Type.String({ description: 'With status `error`: what went wrong.' })),
  error_code: Type.Optional(
    oneOf(PASSKEY_ERROR_CODES, {
      description: 'With status `error`, when it was the passkey that failed: how.',
      examples: ['passkey_refused'],
    }),
  ),
};

const passkeyFields = {
  options: PasskeyOptions,
  expires_at_unix: Type.Integer({ ...UnixSeconds, description: 'Until when the assertion must be there.' }),
};

export const OnboardingStarted = named('OnboardingStarted', {
  onboard_id: Type.String({ description: 'Identifies the pairing attempt.', examples: ['onb_01j9z6m4k2'] }),
  status: oneOf(ONBOARDING_STATUSES, { examples: ['pending'] }),
});

export const Onboarding = named(
  'Onboarding',
  {
    onboard_id: Type.String({ examples: ['onb_01j9z6m4k2'] }),
    status: oneOf(ONBOARDING_STATUSES, { examples: ['qr'] }),
    qr: Type.Optional(
      Type.String({
        description: 'With status `qr`: the payload to show as a QR image. Fresh on every poll.',
      }),
    ),
    code: Type.Optional(
      Type.String({
        description:
          'With status `code`: the code to type on the phone. With status `confirm`: the code that the phone must show too.',
        examples: ['K7QF-2MXB'],
      }),
    ),
    passkey: Type.Optional(
      Type.Object(
        {
          ...passkeyFields,
          url: Type.String({
            description:
              'A page for the number’s owner, who needs no login there. The first browser that opens it keeps it.',
            examples: ['https://gateway.example.com/link/Jq3v0m1ZkT9b5w'],
          }),
        },
        {
          description:
            'With status `passkey`: the network wants the account’s passkey before it links the device.',
        },
      ),
    ),
    session_id: Type.Optional(
      Type.String({
        description: 'With status `paired`: the session JID.',
        examples: ['15550001001:1@s.whatsapp.net'],
      }),
    ),
    ...failureFields,
  },
  { examples: [{ onboard_id: 'onb_01j9z6m4k2', status: 'code', code: 'K7QF-2MXB' }] },
);
export type Onboarding = Type.Static<typeof Onboarding>;

export const SessionPasskey = named(
  'SessionPasskey',
  {
    session_id: Type.String({ examples: ['15550001001:1@s.whatsapp.net'] }),
    status: oneOf(['pending', 'passkey', 'confirm', 'connected', 'error'], {
      description:
        '`pending`: nothing is asked at the moment. `error`: the last answer was of no use; the network asks again.',
      examples: ['passkey'],
    }),
    passkey: Type.Optional(
      Type.Object(
        {
          ...passkeyFields,
          url: Type.String({
            description:
              'A page for the number’s owner, who needs no login there. The first browser that opens it keeps it, for a day.',
            examples: ['https://gateway.example.com/link/Jq3v0m1ZkT9b5w'],
          }),
        },
        { description: 'With status `passkey`: what the network asks before it lets the number in.' },
      ),
    ),
    code: Type.Optional(
      Type.String({
        description: 'With status `confirm`: the code that the phone must show too.',
        examples: ['K7QF-2MXB'],
      }),
    ),
    ...failureFields,
  },
  { examples: [{ session_id: '15550001001:1@s.whatsapp.net', status: 'pending' }] },
);
export type SessionPasskey = Type.Static<typeof SessionPasskey>;

/** Attempt as shown to the number's owner, without the number and the account. */
export const OwnerLink = named('OwnerLink', {
  status: oneOf(['pending', 'passkey', 'confirm', 'paired', 'error']),
  is_login: Type.Optional(
    Type.Literal(true, {
      description: 'The number is linked, and the network asks before it lets it in again.',
    }),
  ),
  passkey: Type.Optional(Type.Object(passkeyFields)),
  code: Type.Optional(Type.String({ description: 'With status `confirm`.' })),
  ...failureFields,
});
export type OwnerLink = Type.Static<typeof OwnerLink>;

export const SESSION_STATUSES = ['connected', 'reconnecting', 'offline', 'logged_out'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/**
 * Reasons why a session is not connected. The first come with `reconnecting`, and with `offline` when they last; those of a
 * refusal come with `offline` at once, because the gateway does not reconnect before its end; the last comes with `logged_out`.
 * `passkey_required` stays `reconnecting`, however long its owner takes.
 */
export const SESSION_REASONS = [
  'connection_lost',
  'network_unavailable',
  'network_untrusted',
  'proxy_failed',
  'passkey_required',
  'replaced',
  'temporarily_banned',
  'client_outdated',
  'client_refused',
  'login_refused',
  'logged_out',
  'locked',
  'banned',
] as const;
export type SessionReason = (typeof SESSION_REASONS)[number];

/** The network refuses this number, or this client, for now. */
const REFUSALS: ReadonlySet<SessionReason> = new Set<SessionReason>([
  'temporarily_banned',
  'client_outdated',
  'client_refused',
  'login_refused',
]);

export function isRefusal(reason: SessionReason | null): boolean {
  return reason !== null && REFUSALS.has(reason);
}

const PresencePolicyField = oneOf(PRESENCE_POLICIES, {
  description:
    'Whether the number appears online. `available` does, and the owner’s phone stops notifying; `unavailable` does not, and typing and presence of others do not arrive; `auto` is available while a contact is subscribed to or an active webhook has an `events_url`.',
});

/** Fields of sessions and connection events with the reason of a missing connection. */
export const absenceFields = {
  reason: Type.Optional(
    oneOf(SESSION_REASONS, {
      ...kept,
      description: 'Why there is no connection, when that is known. Absent while connected.',
      examples: ['temporarily_banned'],
    }),
  ),
  detail: Type.Optional(
    Type.String({
      ...kept,
      description: 'The reason for people; it may change, do not parse it.',
      examples: ['Too many people have blocked this number.'],
    }),
  ),
  until_unix: Type.Optional(
    Type.Integer({
      ...UnixSeconds,
      ...kept,
      description: 'With `temporarily_banned`: when the network lets the number in again, if it said so.',
    }),
  ),
};

export const Session = named(
  'Session',
  {
    session_id: Type.String({ examples: ['15550001001:1@s.whatsapp.net'] }),
    phone: Phone,
    status: oneOf(SESSION_STATUSES, { description: 'Sending works while `connected` or `reconnecting`.' }),
    since_unix: UnixSeconds,
    presence_policy: Type.Optional(PresencePolicyField),
    ...absenceFields,
  },
  {
    examples: [
      {
        session_id: '15550001001:1@s.whatsapp.net',
        phone: '15550001001',
        status: 'connected',
        since_unix: 1_784_365_200,
      },
    ],
  },
);
export type Session = Type.Static<typeof Session>;

export const SessionList = named('SessionList', { sessions: Type.Array(Session) });

export const PresencePolicySetting = named('PresencePolicySetting', {
  session_id: Type.String({ examples: ['15550001001:1@s.whatsapp.net'] }),
  presence_policy: PresencePolicyField,
});
export type PresencePolicySetting = Type.Static<typeof PresencePolicySetting>;

export const CallAutoReject = named('CallAutoReject', {
  session_id: Type.String({ examples: ['15550001001:1@s.whatsapp.net'] }),
  auto_reject: Type.Boolean({ description: 'False until it is switched on.' }),
});
export type CallAutoReject = Type.Static<typeof CallAutoReject>;

export const Terms = named(
  'Terms',
  {
    current_version: nullable(Type.String(), { description: 'The version in force.' }),
    accepted_version: nullable(Type.String(), { description: 'The version this account accepted last.' }),
    pending_version: nullable(Type.String(), {
      description: 'The version awaiting acceptance in the portal.',
    }),
    url: nullable(Type.String(), { description: 'Where the current version can be read.' }),
    upcoming: Type.Optional(
      Type.Object(
        { version: Type.String(), url: Type.String(), effective_at: IsoTime },
        {
          description:
            'A version that this account has not accepted and that will be in force from `effective_at`. Absent when there is none.',
        },
      ),
    ),
  },
  {
    examples: [
      {
        current_version: '2026-07',
        accepted_version: '2026-01',
        pending_version: '2026-07',
        url: 'https://gateway.example.com/terms/2026-07',
      },
    ],
  },
);
export type Terms = Type.Static<typeof Terms>;
