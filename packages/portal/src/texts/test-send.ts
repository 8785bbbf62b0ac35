import { PORTAL_TEST_SEND_INTERVAL_SECONDS as SECONDS } from '@parley/contract';

export const testSendTexts = {
  lead: 'Send any kind of message from one of your numbers, and watch it arrive.',
  compose: 'Message',
  from: 'From',
  kind: 'Kind',
  notInPlan: (kind: string, plan: string) => `${kind} (not in ${plan})`,
  notInPlanText: (plan: string) => `The plan ${plan} of this number does not include this kind.`,
  moreFields: (count: number) => `More fields (${count})`,
  fillExample: 'Fill in an example',
  choose: 'Choose …',
  add: 'Add',
  removeItem: (place: number) => `Remove ${place}`,
  item: (place: number) => `Item ${place}`,
  variant: 'Type',
  send: 'Send',
  wait: (seconds: number) => `Next in ${seconds} s`,
  limit: `From here one message in ${SECONDS} seconds per number, on top of the limits of its plan. It counts like any other message.`,
  request: 'The same with the API',
  requestHint: 'Put one of your API keys in place of $API_KEY, and a new Idempotency-Key for every message.',
  noNumberTitle: 'Link a number first',
  noNumberText: 'Messages go out from a number that is linked. It takes a minute.',
  settingDone: 'The setting is on its way.',
} as const;

export const journeyTexts = {
  title: 'Progress',
  nothingYet: 'Send a message, and follow it here.',
  to: 'To',
  everyone: 'Contacts of the number',
  explained: {
    accepted: 'Stored in the queue',
    sent: 'Accepted by the network',
    delivered: 'Arrived on the phone',
    read: 'Seen by a person',
  },
} as const;
