import { DELETION_GRACE_DAYS, EXPORT_KEPT_DAYS, VISIT_MINUTES } from '@parley/contract';
import { formatNumber } from '../ui/format.ts';

export const exportTexts = {
  title: 'All your data',
  text: `A ZIP of everything that your account has: numbers, conversations, messages, events, webhooks, invoices, keys, team and logs, with the files that are stored and without secrets. It is prepared in the background and kept for ${EXPORT_KEPT_DAYS} days.`,
  ask: 'Prepare an archive',
  asked: 'The archive is being prepared.',
  none: 'No archive is there at the moment. Prepare one: it takes some minutes, and this page can be left meanwhile.',
  notAll: 'These were asked for last; there are others too.',
  when: 'Asked for',
  state: 'State',
  until: 'Kept until',
  download: 'Download',
  actions: 'Archive',
  preparing: (percent: number, rows: number) => `Preparing: ${percent} %, ${formatNumber(rows)} rows`,
  ready: (mb: string) => `Ready: ${mb}`,
  failed: 'It could not be made. Ask for another one.',
  megabytes: (bytes: number) =>
    bytes < 1_000_000
      ? `${formatNumber(Math.ceil(bytes / 1_000))} kB`
      : `${formatNumber(Math.round(bytes / 1_000_000))} MB`,
} as const;

export const visitTexts = {
  look: 'Look as this account',
  title: 'Look at the portal as this account sees it',
  text: `For ${VISIT_MINUTES} minutes you see its pages. Nothing can be changed and conversations are not shown. Its owners read your name and the reason in their account’s log, and get a mail where the gateway sends any.`,
  name: 'Your name',
  reason: 'Reason',
  reasonHint: 'Optional. Such as the number of their request.',
  notice: (account: string, operator: string, until: string) =>
    `You look at ${account} as the operator (${operator}), until ${until}. Nothing can be changed, and its owners see that you were here.`,
  end: 'End the visit',
} as const;

export const deletionTexts = {
  title: 'Delete the account',
  text: `In ${DELETION_GRACE_DAYS} days, all numbers are unlinked and everything of the account is erased for good. Until then it goes on as it is, except that no number can be added, and you can change your mind. Invoices that have a number are kept, as the law demands.`,
  ask: 'Delete the account',
  confirmTitle: 'Delete this account?',
  password: 'Your password',
  understood: 'I understand what will be erased',
  asked: 'The account is to be deleted.',
  keep: 'Keep the account',
  kept: 'The account stays.',
  pending: (when: string) =>
    `This account is to be deleted: on ${when} its numbers are unlinked and everything is erased. Until then it goes on, without new numbers.`,
  byOwner: 'An owner of the account can still keep it.',
  /** The operator's. */
  card: 'Deletion',
  operatorNone: 'Nobody has asked to delete this account.',
  operatorPending: (when: string) => `It is erased from ${when} on.`,
  operatorTitle: 'Delete this account?',
  operatorText: `Its owner can still keep it for ${DELETION_GRACE_DAYS} days; then its numbers are unlinked and everything of it is erased, except for invoices that have a number.`,
  hasten: 'Erase it now',
  hastenText:
    'The days of grace are left out: its numbers are unlinked and everything of it is erased, beginning now. Nobody can undo this.',
} as const;
