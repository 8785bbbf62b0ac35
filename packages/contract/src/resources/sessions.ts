import Type from 'typebox';
import { Phone, UnixSeconds } from '../primitives.ts';
import { named, nullable, oneOf } from '../schema.ts';

export const ONBOARDING_STATUSES = ['pending', 'qr', 'code', 'paired', 'error'] as const;
export type OnboardingStatus = (typeof ONBOARDING_STATUSES)[number];

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
        description: 'With status `code`: the code to type on the phone.',
        examples: ['K7QF-2MXB'],
      }),
    ),
    session_id: Type.Optional(
      Type.String({
        description: 'With status `paired`: the session JID.',
        examples: ['15550001001:1@s.whatsapp.net'],
      }),
    ),
    error: Type.Optional(Type.String({ description: 'With status `error`: what went wrong.' })),
  },
  { examples: [{ onboard_id: 'onb_01j9z6m4k2', status: 'code', code: 'K7QF-2MXB' }] },
);
export type Onboarding = Type.Static<typeof Onboarding>;

export const SESSION_STATUSES = ['connected', 'reconnecting', 'offline', 'logged_out'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const Session = named('Session', {
  session_id: Type.String({ examples: ['15550001001:1@s.whatsapp.net'] }),
  phone: Phone,
  status: oneOf(SESSION_STATUSES, { description: 'Sending works while `connected` or `reconnecting`.' }),
  since_unix: UnixSeconds,
});
export type Session = Type.Static<typeof Session>;

export const SessionList = named('SessionList', { sessions: Type.Array(Session) });

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
