export const recoveryTexts = {
  title: 'Forgot your password?',
  askLead: 'We send you a link by which you choose a new one.',
  ask: 'Send me a link',
  askedTitle: 'Check your mail',
  asked: (email: string) =>
    `If ${email} belongs to a member here, a link is on its way. It works once, for an hour.`,
  noMail:
    'This gateway sends no mail. Its operator can make a link for you by which you choose a new password.',
  chooseTitle: 'Choose a new password',
  chooseLead: (email: string) => `For ${email}. Every browser is signed out.`,
  newPassword: 'New password',
  choose: 'Save and sign in',
  toSignIn: 'Back to sign-in',
} as const;
