import { INVITATION_DAYS } from '@parley/contract';

export const teamTexts = {
  lead: 'Who belongs to this account, and what they may do.',
  members: 'Members',
  invitations: 'Invitations',
  invite: 'Invite a member',
  inviteText: `An invitation is good for ${INVITATION_DAYS} days.`,
  email: 'E-mail',
  name: 'Name',
  role: 'Role',
  by: 'Sent',
  byMail: 'By mail',
  byLink: 'As a link that I hand over',
  joined: 'Joined',
  expires: 'Ends',
  actions: 'Actions',
  you: 'You',
  invited: (email: string) => `${email} is invited.`,
  linkTitle: 'The invitation',
  linkText: (email: string) =>
    `Give it to ${email} only: every person with the link can join. It works once.`,
  link: 'Link',
  change: 'Change',
  changeTitle: (name: string) => `Role of ${name}`,
  changed: 'The role is changed.',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    'They are signed out everywhere and cannot come back in. API keys that they created keep working: revoke those that they know.',
  removed: (name: string) => `${name} is removed.`,
  revoke: 'Take back',
  revoked: 'The invitation is taken back.',
  leave: 'Leave this account',
  leaveText: 'You are signed out everywhere and cannot come back in, unless you are invited again.',
  rights: {
    owner: 'Everything, members and plans included.',
    developer: 'Links numbers, makes keys and webhooks, sends tests. Neither plans nor members.',
    read_only: 'Sees everything, changes nothing.',
  },
} as const;

export const joinTexts = {
  title: (account: string) => `Join ${account}`,
  fallbackTitle: 'Join an account',
  lead: (email: string, role: string) => `As ${email}, with the role ${role}.`,
  name: 'Your name',
  join: 'Join and sign in',
} as const;

export const verifyTexts = {
  title: 'Verify your address',
  waiting: (email: string) =>
    `A mail with a link is on its way to ${email}. Open the link, and this page continues automatically.`,
  again: 'Send another mail',
  sentAgain: 'Another mail is on its way.',
  verified: 'Your address is verified',
  verifiedText: 'Thank you. You can go on now.',
  go: 'Go to the portal',
} as const;
