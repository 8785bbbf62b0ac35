/** Texts that all pages share. Each page has its own file beside this one. */

export const words = {
  more: 'Show more',
  shown: (count: number, isAll: boolean) => (isAll ? `All ${count} are shown.` : `${count} are shown.`),
  product: 'Parley',
  loading: 'Loading',
  save: 'Save',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  retry: 'Try again',
  back: 'Back',
  optional: 'Optional',
  never: 'never',
  all: 'All',
  now: 'just now',
  allKinds: 'All kinds',
  allNumbers: 'All numbers',
  copiedIt: 'I have copied it',
  phoneWrong: 'Write it in international form, such as +1 555 000 1001.',
  shownOnce: 'This is shown only once. Copy it now and keep it somewhere safe.',
  notFoundTitle: 'There is no such page',
  notFoundText: 'The address may be old, or mistyped.',
  toStart: 'Go to your numbers',
  unreachableTitle: 'The gateway does not answer',
  unreachableText: 'Check that it is running and that you are online, then try again.',
  brokenTitle: 'This page ran into a problem',
  brokenText: 'Reloading usually helps. Nothing that you sent or saved is lost.',
  unloadedTitle: 'This page could not be loaded',
  unloadedText:
    'The gateway does not answer. The page loads as soon as it does; nothing that you sent or saved is lost.',
  reloadPage: 'Load again',
  unreachable: 'the gateway cannot be reached',
  answered: (status: number) => `the gateway answered ${status}`,
  brokenAction: 'something went wrong on this page; load it again',
  waitSeconds: (seconds: number) => `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
} as const;

export const banner = {
  label: 'Webhooks that fail',
  failing: (host: string, since: string, waiting: number) =>
    `Events do not arrive at ${host}: every attempt has failed since the first, ${since}. ${waiting === 1 ? '1 event waits.' : `${waiting} events wait.`}`,
  others: (count: number) =>
    count === 1 ? 'One more address fails too.' : `${count} more addresses fail too.`,
  why: 'Find out why',
} as const;

export const shell = {
  skip: 'Skip to content',
  menu: 'Menu',
  navigation: 'Main',
  reference: 'API reference',
  account: 'Account',
  goTo: 'Go to (⌘K or Ctrl+K)',
  timeZone: (zone: string) => `Times are in ${zone}`,
  signOut: 'Sign out',
  signOutEverywhere: 'Sign out everywhere',
  signOutEverywhereText: 'Signs you out in every browser, including this one. API keys keep working.',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  passwordChanged: 'Your password is changed. Every other browser is signed out.',
  lookOnly:
    'You can look at everything here. To change something takes another role, which an owner of the account can give you.',
  operatorPages: 'Operator',
  ownerPages: 'Your account',
  live: { open: 'Live', connecting: 'Reconnecting', closed: 'Not live' },
} as const;

export const termsNoticeTexts = {
  text: (version: string, day: string) =>
    `Version ${version} of the terms of service takes effect on ${day}. From then on the API refuses every request of your account until it is accepted.`,
  read: 'Read the terms',
  accept: 'I have read and accept it',
  byOwner: 'An owner of the account has to accept it.',
} as const;

export const paletteTexts = {
  title: 'Go to',
  field: 'A page or a number',
  nothing: 'No page or number has this name.',
} as const;

export const nav = {
  numbers: 'Numbers',
  keys: 'API keys',
  webhooks: 'Webhooks',
  testSend: 'Test send',
  messages: 'Messages',
  activity: 'Activity',
  statistics: 'Statistics',
  requests: 'API log',
  sandbox: 'Sandbox phones',
  billing: 'Billing',
  team: 'Team',
  security: 'Security',
  account: 'Account',
  overview: 'Overview',
  accounts: 'Accounts',
  operatorNumbers: 'Numbers',
  workers: 'Workers',
  deadLetters: 'Dead letters',
  throughput: 'Throughput',
  trouble: 'Trouble',
  terms: 'Terms',
} as const;
