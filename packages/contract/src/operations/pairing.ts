import { ONBOARDING_LIFETIME_SECONDS, QR_LIFETIME_SECONDS } from '../limits.ts';
import { ResourceId } from '../primitives.ts';
import { Onboarding, OnboardingStarted } from '../resources/index.ts';
import { closed } from '../schema.ts';
import { operation } from './operation.ts';

const slotBody = closed({ slot_id: ResourceId }, { examples: [{ slot_id: 'slot_01j9z6m4k2' }] });

const startErrors = ['device_not_active', 'number_already_linked', 'network_unreachable'] as const;

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
  }),
  getOnboarding: operation({
    id: 'getOnboarding',
    method: 'GET',
    path: '/v1/onboard/{id}',
    summary: 'Poll a pairing attempt',
    description: `Serves both flows. A QR lives about ${QR_LIFETIME_SECONDS} seconds; the next poll returns a fresh one. An attempt that is not finished after ${ONBOARDING_LIFETIME_SECONDS / 60} minutes ends in \`error\`.`,
    tag: 'Pairing',
    surface: 'v1',
    permission: 'sessions',
    limits: [],
    subject: 'onboarding',
    params: closed({ id: ResourceId }),
    answers: { 200: Onboarding },
    errors: [],
  }),
};
