import type { ErrorDefinition } from './error-type.ts';

export const sessionErrors = {
  session_not_hosted: {
    status: 409,
    text: 'session is not currently hosted by any worker',
    advice:
      'The number is offline, logged out, or was never linked. After a restart of the gateway wait ten seconds; otherwise look at `GET /v1/sessions/{id}` and pair again if it says `logged_out`.',
  },
  session_not_found: {
    status: 404,
    text: 'session not found',
    advice: 'The account has no session with this id.',
  },
  device_not_found: {
    status: 404,
    text: 'device not found',
    advice: 'The `slot_id` does not exist, or belongs to another account.',
  },
  device_not_active: {
    status: 403,
    text: 'device is not active',
    advice:
      'The number is `inactive` or `suspended`. Its status is changed in the portal or by the operator.',
  },
  number_already_linked: {
    status: 409,
    text: 'number is already linked; delete the session first',
    advice: 'Pairing would replace a link that works. Delete the session first if that is what you want.',
  },
  onboarding_not_found: {
    status: 404,
    text: 'onboarding not found',
    advice: 'The id is wrong, or the attempt is long over. Start another.',
  },
  passkey_not_asked: {
    status: 409,
    text: 'no passkey is asked for',
    advice:
      'Poll: it has got its passkey, went on to something else, or never needed one. An answer counts once.',
  },
  confirmation_not_asked: {
    status: 409,
    text: 'no confirmation is asked for',
    advice: 'Poll: there are no codes to compare at the moment.',
  },
  passkey_of_another_challenge: {
    status: 400,
    text: 'credential does not answer the challenge that is shown',
    advice:
      'The assertion was made for another attempt, or for an earlier challenge. Poll, and sign the `options` that you get.',
  },
  history_off: {
    status: 409,
    text: 'number does not keep its conversations; switch that on with PUT /v1/sessions/{id}/history',
    advice:
      'Conversations are kept only where that was switched on, from then on. [Conversations](conversations.md) says how, and what is kept.',
  },
} as const satisfies Record<string, ErrorDefinition>;
