import Type from 'typebox';
import { phoneDigits } from '../jid.ts';
import { TYPING_CLEARS_AFTER_SECONDS, VALIDATION_BATCH_MAX_NUMBERS } from '../limits.ts';
import { ChatJid, PersonJid } from '../primitives.ts';
import { CallAutoReject, Session, SessionList, ValidatedNumbers } from '../resources/index.ts';
import { closed } from '../schema.ts';
import { type Complaint, complaint } from '../validate/complaint.ts';
import { operation } from './operation.ts';
import { sessionPath } from './paths.ts';

const validateBody = closed(
  {
    numbers: Type.Array(Type.String({ minLength: 1, maxLength: 32 }), {
      minItems: 1,
      maxItems: VALIDATION_BATCH_MAX_NUMBERS,
      description: 'International numbers, with or without leading `+`.',
    }),
  },
  { examples: [{ numbers: ['+15550002001', '15550002002'] }] },
);

function everyNumberIsInternational({ numbers }: Type.Static<typeof validateBody>): Complaint | null {
  const index = numbers.findIndex((number) => phoneDigits(number) === null);
  if (index === -1) return null;
  return complaint(`numbers[${index}]`, `numbers[${index}] must be a phone number in international form`);
}

export const sessionOperations = {
  listSessions: operation({
    id: 'listSessions',
    method: 'GET',
    path: '/v1/sessions',
    summary: 'List sessions',
    description:
      'Every number of the account that is or was linked. A key restricted to one number sees only that.',
    tag: 'Sessions',
    surface: 'v1',
    permission: 'sessions',
    limits: [],
    answers: { 200: SessionList },
    errors: [],
  }),
  getSession: operation({
    id: 'getSession',
    method: 'GET',
    path: '/v1/sessions/{id}',
    summary: 'Get a session',
    tag: 'Sessions',
    surface: 'v1',
    permission: 'sessions',
    limits: [],
    subject: 'session',
    params: sessionPath,
    answers: { 200: Session },
    errors: [],
  }),
  deleteSession: operation({
    id: 'deleteSession',
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    summary: 'Log a session out',
    description:
      'Permanent, also while the session is offline: afterwards pairing starts from the beginning. The webhook of the number stays.',
    tag: 'Sessions',
    surface: 'v1',
    permission: 'sessions',
    limits: [],
    subject: 'session',
    params: sessionPath,
    answers: { 204: null },
    errors: [],
  }),
  setTyping: operation({
    id: 'setTyping',
    method: 'POST',
    path: '/v1/sessions/{id}/typing',
    summary: 'Show or clear the typing indicator',
    description: `The network clears it by itself after about ${TYPING_CLEARS_AFTER_SECONDS} seconds.`,
    tag: 'Sessions',
    surface: 'v1',
    permission: 'sessions',
    limits: ['network_action'],
    subject: 'session',
    sessionMustBe: 'online',
    params: sessionPath,
    body: closed({
      to: ChatJid,
      typing: Type.Optional(Type.Boolean({ default: true, description: 'False clears the indicator.' })),
    }),
    answers: { 204: null },
    errors: [],
  }),
  subscribePresence: operation({
    id: 'subscribePresence',
    method: 'POST',
    path: '/v1/sessions/{id}/presence/subscribe',
    summary: "Subscribe to a contact's presence",
    description:
      'Needed once per contact; makes the own number appear online briefly. Without prior interaction with the contact it may answer 204 and still never deliver presence.',
    tag: 'Sessions',
    surface: 'v1',
    permission: 'sessions',
    limits: ['network_action'],
    subject: 'session',
    sessionMustBe: 'online',
    params: sessionPath,
    body: closed({ contact_jid: PersonJid }),
    answers: { 204: null },
    errors: [],
  }),
  setCallAutoReject: operation({
    id: 'setCallAutoReject',
    method: 'POST',
    path: '/v1/sessions/{id}/calls/auto-reject',
    summary: 'Switch automatic call rejection',
    description: 'Applies to the next call, without reconnecting. Calls are forwarded as events either way.',
    tag: 'Sessions',
    surface: 'v1',
    permission: 'sessions',
    limits: ['network_action'],
    subject: 'session',
    sessionMustBe: 'online',
    params: sessionPath,
    body: closed({ enabled: Type.Boolean({ examples: [true] }) }),
    answers: { 200: CallAutoReject },
    errors: [],
  }),
  getCallAutoReject: operation({
    id: 'getCallAutoReject',
    method: 'GET',
    path: '/v1/sessions/{id}/calls/auto-reject',
    summary: 'Read the automatic call rejection setting',
    tag: 'Sessions',
    surface: 'v1',
    permission: 'sessions',
    limits: ['network_action'],
    subject: 'session',
    sessionMustBe: 'online',
    params: sessionPath,
    answers: { 200: CallAutoReject },
    errors: [],
  }),
  /** Asks about people, so it needs the permission `contacts`. */
  validateNumbers: operation({
    id: 'validateNumbers',
    method: 'POST',
    path: '/v1/sessions/{id}/validate',
    summary: 'Check which numbers are on the network',
    description: `Up to ${VALIDATION_BATCH_MAX_NUMBERS} numbers at once. Needs the permission \`contacts\`.`,
    tag: 'Sessions',
    surface: 'v1',
    permission: 'contacts',
    limits: ['network_action'],
    subject: 'session',
    sessionMustBe: 'online',
    params: sessionPath,
    body: validateBody,
    bodyRule: everyNumberIsInternational,
    answers: { 200: ValidatedNumbers },
    errors: [],
  }),
};
