import { PASSWORD_MIN_LENGTH } from '@parley/contract';

export const entranceTexts = {
  promise: 'One clean API for your WhatsApp numbers.',
  points: [
    'Link a number in a minute, by QR or code',
    'Every accepted message survives a crash',
    'Everything that happens, as signed webhooks',
  ],
  signIn: 'Sign in',
  signInLead: 'Welcome back.',
  signUp: 'Create an account',
  signUpLead: 'You can register your first number right afterwards.',
  name: 'Name',
  nameHint: 'Of your company or project.',
  email: 'E-mail',
  password: 'Password',
  passwordHint: `At least ${PASSWORD_MIN_LENGTH} characters.`,
  code: 'Code',
  codeHint: 'Of your authenticator app, or a recovery code.',
  forgotten: 'Forgot your password?',
  noAccount: 'No account yet?',
  haveAccount: 'Already have an account?',
  signUpClosed: 'The operator of this gateway creates new accounts.',
  operatorLink: 'Sign in as operator',
  ownerLink: 'Sign in to an account',
  operatorTitle: 'Operator',
  operatorLead: 'These pages show all accounts of this gateway.',
  operatorToken: 'Operator token',
  operatorTokenHint: 'The value of PARLEY_OPERATOR_TOKEN.',
  noOperatorTitle: 'This gateway has no operator token',
  noOperatorText: 'Start it with PARLEY_OPERATOR_TOKEN set, and these pages open with that token.',
} as const;

export const gateTexts = {
  signedInAs: (email: string) => `Signed in as ${email}.`,
  termsTitle: 'Please accept the terms',
  termsText: (version: string) =>
    `Version ${version} of the terms of service is in force. Until you accept it, the API refuses every request of your account.`,
  termsEarlier: (version: string) => `You accepted version ${version} before.`,
  readTerms: 'Read the terms',
  acceptBox: (version: string) => `I have read and accept version ${version}`,
  accept: 'Accept and continue',
  termsByOwner: 'An owner of the account has to accept it.',
  suspendedTitle: 'Your account is suspended',
  suspendedText:
    'The operator of this gateway has suspended it. The API and these pages are closed until it is reactivated; your numbers, keys and webhooks are kept.',
  suspendedNext: 'Write to the operator to find out why. This page reloads once the account is active again.',
} as const;
