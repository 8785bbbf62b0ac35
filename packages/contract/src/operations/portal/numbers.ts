import Type from 'typebox';
import { MESSAGES_PAGE_DEFAULT, MESSAGES_PAGE_MAX } from '../../limits.ts';
import { SELF_SERVICE_PLANS } from '../../plans.ts';
import { MessageId, Phone } from '../../primitives.ts';
import {
  History,
  InvoiceList,
  MESSAGE_STATES,
  MessageList,
  OnboardingStarted,
  PacingSetting,
  PortalNumber,
  PortalNumberList,
  SessionHealth,
} from '../../resources/index.ts';
import { closed, oneOf } from '../../schema.ts';
import { historyOperations } from '../history.ts';
import { messageOperations } from '../messages.ts';
import { operation } from '../operation.ts';
import { pairingOperations } from '../pairing.ts';
import { sessionOperations } from '../sessions.ts';
import { inPortal, onPortal } from './in-portal.ts';

const onNumber = { ...onPortal, subject: 'number', params: closed({ phone: Phone }) } as const;
const { headers: _required, ...testSend } = inPortal(
  messageOperations.sendMessage,
  'testSend',
  '/portal/api/test-sends',
  'build',
);

export const portalNumberOperations = {
  listNumbers: operation({
    ...onPortal,
    id: 'listNumbers',
    method: 'GET',
    right: 'see',
    path: '/portal/api/numbers',
    summary: 'List the numbers of the account',
    answers: { 200: PortalNumberList },
    errors: [],
  }),
  registerNumber: operation({
    ...onPortal,
    id: 'registerNumber',
    method: 'POST',
    right: 'administer',
    path: '/portal/api/numbers',
    summary: 'Register a number',
    body: closed({ phone: Phone, plan: oneOf(SELF_SERVICE_PLANS) }),
    answers: { 201: PortalNumber },
    errors: ['phone_taken', 'free_plan_holds_one_number'],
  }),
  getNumber: operation({
    ...onNumber,
    id: 'getNumber',
    method: 'GET',
    right: 'see',
    path: '/portal/api/numbers/{phone}',
    summary: 'Get a number: its state and what it has used up',
    answers: { 200: PortalNumber },
    errors: [],
  }),
  changePlan: operation({
    ...onNumber,
    id: 'changePlan',
    method: 'PUT',
    right: 'administer',
    path: '/portal/api/numbers/{phone}/plan',
    summary: 'Change the plan of a number',
    description: 'The new plan begins at once, and so does its first period.',
    body: closed({ plan: oneOf(SELF_SERVICE_PLANS) }),
    answers: { 200: PortalNumber },
    errors: ['plan_by_operator', 'free_plan_holds_one_number'],
  }),
  startPairing: operation({
    ...onNumber,
    id: 'startPairing',
    method: 'POST',
    right: 'build',
    path: '/portal/api/numbers/{phone}/pairing',
    summary: 'Start to link a number',
    body: closed({ method: oneOf(['qr', 'code']) }),
    answers: { 200: OnboardingStarted },
    errors: pairingOperations.startQrPairing.errors,
  }),
  getPairing: inPortal(pairingOperations.getOnboarding, 'getPairing', '/portal/api/pairings/{id}', 'build'),
  answerPairing: inPortal(
    pairingOperations.answerPasskey,
    'answerPairing',
    '/portal/api/pairings/{id}/passkey',
    'build',
  ),
  confirmCodes: inPortal(
    pairingOperations.confirmPairing,
    'confirmCodes',
    '/portal/api/pairings/{id}/confirm',
    'build',
  ),
  cancelPairing: inPortal(
    pairingOperations.cancelOnboarding,
    'cancelPairing',
    '/portal/api/pairings/{id}',
    'build',
  ),
  unlinkNumber: operation({
    ...onNumber,
    id: 'unlinkNumber',
    method: 'DELETE',
    right: 'build',
    path: '/portal/api/numbers/{phone}/session',
    summary: 'Unlink a number',
    description: 'Permanent: afterwards pairing starts from the beginning. The webhook of the number stays.',
    answers: { 204: null },
    errors: [],
  }),
  choosePresence: operation({
    ...onNumber,
    id: 'choosePresence',
    method: 'PUT',
    right: 'build',
    path: '/portal/api/numbers/{phone}/presence-policy',
    summary: 'Choose whether a number appears online',
    body: sessionOperations.setPresencePolicy.body,
    answers: { 200: PortalNumber },
    errors: ['session_not_found'],
  }),
  getNumberHealth: operation({
    ...onNumber,
    id: 'getNumberHealth',
    method: 'GET',
    right: 'see',
    path: '/portal/api/numbers/{phone}/health',
    summary: 'How a number stands with the network, and what its last 30 days were like',
    answers: { 200: SessionHealth },
    errors: ['session_not_found'],
  }),
  choosePacing: operation({
    ...onNumber,
    id: 'choosePacing',
    method: 'PUT',
    right: 'build',
    path: '/portal/api/numbers/{phone}/pacing',
    summary: 'Choose how a number is paced',
    body: sessionOperations.setPacing.body,
    answers: { 200: PacingSetting },
    errors: sessionOperations.setPacing.errors,
  }),
  getNumberHistory: operation({
    ...onNumber,
    id: 'getNumberHistory',
    method: 'GET',
    right: 'see',
    path: '/portal/api/numbers/{phone}/history',
    summary: 'What a number keeps of its conversations',
    answers: { 200: History },
    errors: [],
  }),
  chooseHistory: operation({
    ...onNumber,
    id: 'chooseHistory',
    method: 'PUT',
    right: 'build',
    path: '/portal/api/numbers/{phone}/history',
    summary: 'Choose whether a number keeps its conversations',
    body: historyOperations.setHistory.body,
    answers: { 200: History },
    errors: [],
  }),
  listNumberInvoices: operation({
    ...onNumber,
    id: 'listNumberInvoices',
    method: 'GET',
    right: 'see',
    path: '/portal/api/numbers/{phone}/invoices',
    summary: 'List the invoices of a number, newest first',
    answers: { 200: InvoiceList },
    errors: [],
  }),
  listMessages: operation({
    ...onNumber,
    id: 'listMessages',
    method: 'GET',
    right: 'see',
    path: '/portal/api/numbers/{phone}/messages',
    summary: 'List what a number has sent, newest first',
    query: closed({
      status: Type.Optional(oneOf(MESSAGE_STATES)),
      before: Type.Optional(
        Type.String({ ...MessageId, description: 'A `message_id`: only older ones are listed.' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MESSAGES_PAGE_MAX, default: MESSAGES_PAGE_DEFAULT }),
      ),
    }),
    answers: { 200: MessageList },
    errors: [],
  }),
  /** Draws on the number's budget like any send, and is rarer still. The header `Idempotency-Key` may be left out. */
  testSend: operation({
    ...testSend,
    summary: 'Try a send',
    description: 'The body of `POST /v1/messages`.',
    errors: [...testSend.errors, 'test_send_too_soon'],
  }),
};
