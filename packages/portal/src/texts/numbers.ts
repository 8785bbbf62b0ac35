import { COOLDOWN_CONSECUTIVE_SENDS, COOLDOWN_PAUSE_SECONDS, type PresencePolicy } from '@parley/contract';
import { formatNumber } from '../ui/format.ts';

const shareOf = (used: number, quota: number): string => `${formatNumber(used)} of ${formatNumber(quota)}`;

export const numbersTexts = {
  lead: 'Each number is linked like a device of its own, has its own plan, and is billed separately.',
  one: 'Number',
  plan: 'Plan',
  status: 'Status',
  used: 'Used',
  period: 'Period',
  emptyTitle: 'Register your first number',
  emptyText:
    'Then link it with the phone that it belongs to: scan a QR code, or type a code. It takes a minute.',
  usedOf: (used: number, quota: number) => `${shareOf(used, quota)} messages`,
  perMinute: (rate: number) => `${formatNumber(rate)} a minute`,
} as const;

export const registerTexts = {
  title: 'Register a number',
  phone: 'Phone number',
  phoneHint: 'In international form, with or without +. It must belong to you.',
  plan: 'Plan',
  done: 'The number is registered. Link it next.',
  includes: {
    free: 'Text messages',
    pro: 'Media, buttons, reactions',
    max: 'Everything, groups and channels',
  },
  monthly: (messages: number) => `${formatNumber(messages)} messages a month`,
} as const;

export const numberTexts = {
  deviceLinked: 'A device that the gateway did not link was linked to this number',
  deviceLinkedAction:
    'It reads and writes all messages. If you do not know it, remove it on the phone under Linked devices.',
  link: 'Link',
  session: 'Session',
  sessionHint: 'Use it as session_id in every request.',
  since: (state: string) => `${state} since`,
  unlink: 'Unlink',
  unlinkTitle: 'Unlink this number?',
  unlinkText:
    'It is logged out for good. To use it again, pair it again; it then has a new session id, which your systems must use, or the phone number in its place. Its plan, keys and webhook stay as they are.',
  unlinked: 'The number is unlinked.',
  presence: 'Appears online',
  presenceTexts: {
    auto: 'While a system subscribes to typing and presence. Meanwhile the owner’s phone shows no notifications.',
    available: 'Always. Typing and presence arrive, and the owner’s phone shows no notifications.',
    unavailable: 'Never. The owner’s phone shows notifications, and typing and presence do not arrive.',
  } satisfies Record<PresencePolicy, string>,
  presenceChosen: 'Saved.',
  waitText: 'It recovers automatically. Messages that you send meanwhile wait in the queue.',
  offlineText: 'The connection is lost. If it does not come back, unlink the number and pair it again.',
  backAt: (time: string) => `It reconnects automatically after ${time}.`,
  linkedByOthers: 'The number is not linked. A developer or an owner of the account can link it.',
  loggedOutText: 'The number was unlinked on the phone. Pair it again to go on.',
  inactiveText: 'The operator has not activated this number. It can be linked once it is active.',
  suspendedText: 'The operator has suspended this number.',
  planAndQuota: 'Plan and quota',
  changePlan: 'Change plan',
  name: 'Name',
  rename: 'Name this number',
  nameHint: 'What you call it, such as “Front desk”. Only your account sees it.',
  named: 'The name is saved.',
  cancelPlan: 'Cancel plan',
  cancelTitle: 'Cancel the plan of this number?',
  cancelText:
    'The running period ends now, and its invoice asks for the days that it lasted. The number is unlinked and cannot send or receive until you choose a plan and link it again. Its keys, webhook and history stay.',
  canceled: 'The plan is canceled.',
  canceledText: (day: string) => `You canceled the plan on ${day}. Choose a plan to use the number again.`,
  choosePlan: 'Choose a plan',
  planChanged: (plan: string) => `The plan is now ${plan}.`,
  partnerPlan: 'Negotiated with the operator, who also changes it.',
  usedOf: shareOf,
  quotaLabel: 'Share of the quota used in this period',
  used: 'used',
  activated: 'Activated',
  sending: 'Sending',
  rate: 'Rate',
  ready: 'Sendable now',
  readyOf: (messages: number) => `${formatNumber(messages)} ${messages === 1 ? 'message' : 'messages'}`,
  whole: (seconds: string) => `All of them again in ${seconds}.`,
  queued: 'In the queue',
  streak: 'Sent in a row',
  streakLabel: 'Messages in a row, of those that lead to a cooldown',
  streakText: `After ${COOLDOWN_CONSECUTIVE_SENDS} messages without a gap of a minute the number pauses for ${COOLDOWN_PAUSE_SECONDS / 60} minutes.`,
  cooldown: (left: string) => `Cooling down: sends are refused for another ${left}.`,
  invoices: 'Invoices',
  noInvoices: 'The first invoice comes when the current period ends.',
} as const;

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `One ${one}` : `${formatNumber(count)} ${many}`;

export const removeTexts = {
  remove: 'Remove number',
  title: (phone: string) => `Remove ${phone}?`,
  session: (id: string) => `It is unlinked from the phone: the session ${id} ends and cannot be used again.`,
  nothingQueued: 'No message waits to be sent.',
  queued: (count: number) =>
    `${counted(count, 'message waits', 'messages wait')} to be sent. What is not sent by then fails with a status event.`,
  webhook:
    'Its webhook receives events for all of this, and is removed after the last one is delivered, at most a day later.',
  keys: (count: number) =>
    `${counted(count, 'key for this number alone is', 'keys for this number alone are')} revoked.`,
  kept: 'Conversations and health figures are deleted. Invoices stay, and the last one asks for the days until now.',
  free: 'The phone can be registered again at once, here or by another account.',
  understood: 'I understand that this cannot be undone',
  removed: (phone: string) => `${phone} is removed.`,
} as const;

export const pairingTexts = {
  title: 'Link this number',
  method: 'How to link',
  qr: 'QR code',
  code: 'Code',
  start: 'Start',
  restart: 'Start again',
  preparing: 'Asking the network …',
  qrLabel: 'QR code to scan with the phone',
  qrSteps: [
    'Open WhatsApp on the phone of this number.',
    'Go to Settings, Linked devices, Link a device.',
    'Point the phone at this code.',
  ],
  qrFresh: 'The code is renewed automatically; leave this page open.',
  codeSteps: [
    'Open WhatsApp on the phone of this number.',
    'Go to Settings, Linked devices, Link a device.',
    'Choose “Link with phone number instead” and type this code.',
  ],
  copyCode: 'Copy code',
  endsIn: (left: string) => `This attempt ends in ${left}.`,
  codeLabel: 'Code to type on the phone',
  paired: 'Linked',
  pairedText: 'The number can send and receive.',
  connecting: 'Accepted by the phone',
  connectingText: 'The number connects now. It takes a few seconds.',
  next: 'Create an API key',
  tryIt: 'Send a test message',
  sandbox: 'No phone at hand? A sandbox phone in another tab can scan this.',
  openSandbox: 'Open sandbox phones',
  copyQr: 'Copy content',
} as const;
