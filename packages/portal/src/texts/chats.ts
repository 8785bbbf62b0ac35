import { HISTORY_DAYS_MAX } from '@parley/contract';
import { formatNumber } from '../ui/format.ts';

const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
const days = (count: number): string => counted(count, 'day', 'days');

export const historyTexts = {
  title: 'Conversations',
  off: 'Messages of this number are not kept after they are delivered.',
  on: (count: number, media: boolean) =>
    `Messages in and out are kept for ${days(count)}, ${media ? 'with their files' : 'without their files'}, encrypted under a key of this account. What is deleted for everyone on the phone is deleted here too.`,
  size: (chats: number, messages: number) =>
    `${counted(messages, 'message', 'messages')} in ${counted(chats, 'chat', 'chats')}`,
  open: 'Open chats',
  start: 'Keep conversations',
  change: 'Change',
  keep: 'Keep',
  days: 'For how many days',
  daysHint: `1 to ${formatNumber(HISTORY_DAYS_MAX)}. Older messages are deleted.`,
  daysError: `A whole number from 1 to ${formatNumber(HISTORY_DAYS_MAX)}.`,
  media: 'With the files that come with messages',
  mediaHint: 'Without it, files that are kept already are deleted.',
  saved: 'Saved.',
  stop: 'Stop and delete',
  stopTitle: 'Delete all conversations?',
  stopText:
    'All kept messages and files of this number are deleted here for good, and new ones are not kept. The phones keep theirs.',
  stopped: 'All conversations are deleted.',
} as const;

export const chatTexts = {
  title: 'Chats',
  lead: (count: number) => `Read-only. Messages are deleted after ${days(count)}.`,
  list: 'Chats of this number',
  none: 'No chat yet',
  noneText: 'Messages from now on appear here.',
  offTitle: 'Conversations are not kept',
  offText: 'Turn it on at the number’s page. Chats from then on appear here.',
  toNumber: 'To the number',
  choose: 'Choose a chat',
  chooseText: 'Its messages appear here.',
  unread: (count: number) => `${formatNumber(count)} unread`,
  group: 'Group',
  back: 'All chats',
  older: 'Show older messages',
  messages: 'Messages',
  you: 'You',
  deleted: 'Deleted for everyone',
  edited: 'edited',
  file: (extension: string) => `File (${extension})`,
  fileGone: 'The file is not available at the moment.',
  empty: 'No messages of this chat are kept.',
  forget: 'Delete this chat',
  forgetTitle: 'Delete the kept messages of this chat?',
  forgetText:
    'Its messages and files are deleted here for good. The phones keep theirs. New messages are kept again.',
  forgotten: 'The chat is deleted.',
  states: { sent: 'sent', delivered: 'delivered', read: 'read', played: 'played' },
} as const;
