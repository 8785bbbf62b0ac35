import { DELETION_GRACE_DAYS, EXPORT_KEPT_DAYS, VISIT_MINUTES } from '@parley/contract';
import { formatNumber } from '../ui/format.ts';

export const exportTexts = {
  title: 'All your data',
  text: `A ZIP of everything that your account has: numbers, conversations, messages, events, webhooks, invoices, keys, team and logs, with the files that are stored and without secrets. It is prepared in the background and kept for ${EXPORT_KEPT_DAYS} days.`,
  ask: 'Prepare an archive',
  asked: 'The archive is being prepared.',
  none: 'There is no archive yet. Preparing one takes some minutes; you can leave this page meanwhile.',
  notAll: 'Only the newest archives are listed.',
  when: 'Requested',
  state: 'State',
  until: 'Kept until',
  download: 'Download',
  actions: 'Archive',
  preparing: (percent: number, rows: number) => `Preparing: ${percent} %, ${formatNumber(rows)} rows`,
  ready: (mb: string) => `Ready: ${mb}`,
  failed: 'It failed. Prepare another one.',
  megabytes: (bytes: number) =>
    bytes < 1_000_000
      ? `${formatNumber(Math.ceil(bytes / 1_000))} kB`
      : `${formatNumber(Math.round(bytes / 1_000_000))} MB`,
} as const;

export const visitTexts = {
  look: 'View as this account',
  title: 'View the portal as this account',
  text: `For ${VISIT_MINUTES} minutes you see its pages. Nothing can be changed and conversations are not shown. Its owners read your name and the reason in their account’s log, and get a mail where the gateway sends any.`,
  name: 'Your name',
  reason: 'Reason',
  reasonHint: 'Optional. Such as the number of their request.',
  notice: (account: string, operator: string, until: string) =>
    `You view ${account} as the operator (${operator}), until ${until}. You cannot change anything, and its owners see this visit in their log.`,
  end: 'End the visit',
} as const;

export const deletionTexts = {
  title: 'Delete the account',
  text: `In ${DELETION_GRACE_DAYS} days, all numbers are unlinked and all data of the account is erased for good. Until then everything keeps working, except that no number can be added, and you can cancel the deletion. Numbered invoices are kept, as the law demands.`,
  ask: 'Delete the account',
  confirmTitle: 'Delete this account?',
  password: 'Your password',
  understood: 'I understand what will be erased',
  asked: 'The account is scheduled for deletion.',
  keep: 'Keep the account',
  kept: 'The deletion is canceled.',
  pending: (when: string) =>
    `This account is scheduled for deletion: on ${when} its numbers are unlinked and everything is erased. Until then everything keeps working, except that no number can be added.`,
  byOwner: 'An owner of the account can still keep it.',
  /** The operator's. */
  card: 'Deletion',
  operatorNone: 'No deletion is scheduled.',
  operatorPending: (when: string) => `It is erased from ${when} on.`,
  operatorTitle: 'Delete this account?',
  operatorText: `Its owner can still keep it for ${DELETION_GRACE_DAYS} days; then its numbers are unlinked and all its data is erased, except for numbered invoices.`,
  hasten: 'Erase it now',
  hastenText:
    'This skips the days of grace: its numbers are unlinked and all its data is erased, beginning now. This cannot be undone.',
} as const;
