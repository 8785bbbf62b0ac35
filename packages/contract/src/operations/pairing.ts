import { ONBOARDING_LIFETIME_SECONDS, PASSKEY_LIFETIME_SECONDS, QR_LIFETIME_SECONDS } from '../limits.ts';
import { ResourceId } from '../primitives.ts';
import {
  Onboarding,
  OnboardingStarted,
  PasskeyCredential,
  parsePasskeyCredential,
  SessionPasskey,
} from '../resources/index.ts';
import { closed } from '../schema.ts';
import { operation } from './operation.ts';
import { sessionPath } from './paths.ts';

const slotBody = closed({ slot_id: ResourceId }, { examples: [{ slot_id: 'slot_01j9z6m4k2' }] });

const startErrors = ['device_not_active', 'number_already_linked', 'network_unreachable'] as const;

const onOnboarding = {
  tag: 'Pairing',
  surface: 'v1',
  sdk: 'pairing',
  mcp: { tool: false, because: 'The owner of the number links it and logs it out.' },
  permission: 'sessions',
  limits: [],
  subject: 'onboarding',
  params: closed({ id: ResourceId }),
} as const;

const onLogin = {
  ...onOnboarding,
  subject: 'session',
  params: sessionPath,
  answers: { 200: SessionPasskey },
} as const;

export const pairingOperations = {
  startQrPairing: operation({
    id: 'startQrPairing',
    method: 'POST',
    path: '/v1/sessions/onboard',
    summary: 'Start pairing by QR code',
    description:
      'Begins to link the number of a registered device. Poll the onboarding every 2 to 3 seconds and show its `qr`.',
    tag: 'Pairing',
    surface: 'v1',
    permission: 'sessions',
    limits: [],
    subject: 'slot',
    body: slotBody,
    answers: { 200: OnboardingStarted },
    errors: startErrors,
    sdk: 'pairing',
    mcp: { tool: false, because: 'The owner of the number links it and logs it out.' },
    cli: ['pair'],
  }),
  startCodePairing: operation({
    id: 'startCodePairing',
    method: 'POST',
    path: '/v1/sessions/paircode',
    summary: 'Start pairing by code',
    description:
      'Begins to link the number of a registered device. Poll the onboarding every 2 to 3 seconds and show its `code`, to be typed on the phone.',
    tag: 'Pairing',
    surface: 'v1',
    permission: 'sessions',
    limits: [],
    subject: 'slot',
    body: slotBody,
    answers: { 200: OnboardingStarted },
    errors: startErrors,
    sdk: 'pairing',
    mcp: { tool: false, because: 'The owner of the number links it and logs it out.' },
    cli: ['pair'],
  }),
  getOnboarding: operation({
    ...onOnboarding,
    id: 'getOnboarding',
    method: 'GET',
    path: '/v1/onboard/{id}',
    summary: 'Poll a pairing attempt',
    description: `Serves both flows. A QR lives about ${QR_LIFETIME_SECONDS} seconds; the next poll returns a fresh one. An attempt that is not finished after ${ONBOARDING_LIFETIME_SECONDS / 60} minutes ends in \`error\`; one that waits for a passkey has ${PASSKEY_LIFETIME_SECONDS / 60} minutes from then on.`,
    answers: { 200: Onboarding },
    errors: [],
    sdk: 'pairing.get',
    cli: ['pair'],
  }),
  answerPasskey: operation({
    ...onOnboarding,
    id: 'answerPasskey',
    method: 'POST',
    path: '/v1/onboard/{id}/passkey',
    summary: 'Confirm a pairing with a passkey',
    description:
      'For an onboarding with status `passkey`: takes what `navigator.credentials.get()` gave for its `options` on the network’s own site. Who sends the owner the `url` instead need not call this. Poll on.',
    body: PasskeyCredential,
    parseBody: parsePasskeyCredential,
    answers: { 200: Onboarding },
    errors: ['passkey_not_asked', 'passkey_of_another_challenge'],
  }),
  confirmPairing: operation({
    ...onOnboarding,
    id: 'confirmPairing',
    method: 'POST',
    path: '/v1/onboard/{id}/confirm',
    summary: 'Confirm that the phone shows the same code',
    description:
      'For an onboarding with status `confirm`. Only the owner can say so; when the codes differ, delete the onboarding.',
    answers: { 200: Onboarding },
    errors: ['confirmation_not_asked'],
  }),
  cancelOnboarding: operation({
    ...onOnboarding,
    id: 'cancelOnboarding',
    method: 'DELETE',
    path: '/v1/onboard/{id}',
    summary: 'Give up a pairing attempt',
    description: 'It ends in `error`. One that has ended so already stays as it is.',
    answers: { 204: null },
    errors: ['number_already_linked'],
    sdk: 'pairing.cancel',
  }),
  getSessionPasskey: operation({
    ...onLogin,
    id: 'getSessionPasskey',
    method: 'GET',
    path: '/v1/sessions/{id}/passkey',
    summary: 'Ask whether a login waits for a passkey',
    description:
      'For a session with the reason `passkey_required`: the network lets the number in after its owner has used the passkey of the account. Sends are taken meanwhile, and wait.',
    errors: ['session_not_hosted'],
    sdk: 'pairing.getLogin',
  }),
  answerSessionPasskey: operation({
    ...onLogin,
    id: 'answerSessionPasskey',
    method: 'POST',
    path: '/v1/sessions/{id}/passkey',
    summary: 'Confirm a login with a passkey',
    description:
      'For status `passkey`: takes what `navigator.credentials.get()` gave for its `options` on the network’s own site. Who sends the owner the `url` instead need not call this. Poll on.',
    body: PasskeyCredential,
    parseBody: parsePasskeyCredential,
    errors: ['passkey_not_asked', 'passkey_of_another_challenge', 'session_not_hosted'],
    sdk: 'pairing.answerLogin',
  }),
  confirmSessionPasskey: operation({
    ...onLogin,
    id: 'confirmSessionPasskey',
    method: 'POST',
    path: '/v1/sessions/{id}/passkey/confirm',
    summary: 'Confirm for a login that the phone shows the same code',
    description: 'For status `confirm`. Only the owner can say so.',
    errors: ['confirmation_not_asked', 'session_not_hosted'],
    sdk: 'pairing.confirmLogin',
  }),
  askSessionPasskey: operation({
    ...onLogin,
    id: 'askSessionPasskey',
    method: 'POST',
    path: '/v1/sessions/{id}/passkey/ask',
    summary: 'Have the network ask for the passkey now',
    description:
      'For status `pending` and `error`, when the owner is there: logs in as soon as the last login is a minute old. Otherwise the gateway does so after growing pauses of up to an hour.',
    errors: ['session_not_hosted'],
    sdk: 'pairing.askLogin',
  }),
};
