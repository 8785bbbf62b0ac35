export const passkeyTexts = {
  title: 'Confirm with your passkey',
  lead: 'WhatsApp guards this account with a passkey. Do this on a computer, with the phone beside you.',
  onPhone: 'Leave the phone as it is',
  onPhoneText: 'It says “Continue on your other device”, and waits. Keep WhatsApp open there.',
  onPhoneNone:
    'If it asks you to create a passkey first, do that on the phone; then start the linking again.',
  here: 'Confirm on this computer',
  hereText:
    'Your browser asks for the passkey: with your face, your finger, a PIN, or by a QR code for the phone.',
  done: 'The phone continues',
  doneText: 'This page says when the number is linked.',
  confirm: 'Confirm with passkey',
  signing: 'Look at the window that your browser has opened.',
  inExtension: 'WhatsApp Web has opened in another tab: press the button there.',
  left: (time: string) => `Time left: ${time}`,
  noWay: 'Your browser signs only on WhatsApp’s own site. Choose how to get it there:',
  way: 'How to confirm',
  withExtension: 'With the extension',
  byHand: 'By hand',
  extensionSteps: [
    'Install the extension “Parley Passkey” in this browser.',
    'Come back to this page and click its icon beside the address bar.',
    'WhatsApp Web opens in a new tab. Press “Confirm with passkey” there.',
  ],
  extensionWaits: 'This page continues as soon as the icon is clicked.',
  handSteps: [
    'Open WhatsApp Web. You need not sign in there.',
    'Press F12 (on a Mac: Option, Command, J) and choose “Console”.',
    'Copy this, paste it there and press Enter. If the browser warns you, read it: you paste this for yourself, to link your own number.',
    'Confirm with the passkey. The answer is copied to the clipboard.',
    'Come back and paste the answer here.',
  ],
  openNetwork: 'Open WhatsApp Web',
  snippet: 'For the console of WhatsApp Web',
  paste: 'Answer of the browser',
  pasteHint: 'It begins with {"id": and is of use for this one linking only.',
  send: 'Send the answer',
  notAnAnswer: 'this is not the answer that the browser copied; copy the text again and repeat',
  notSigned: 'the passkey was not used; try again when you are ready',
  working: 'The phone continues',
  workingText: 'Keep WhatsApp open. This takes a few seconds.',
  compare: 'Does the phone show the same?',
  compareText: 'Compare all eight characters with those on the phone.',
  codeLabel: 'Code to compare',
  same: 'Yes, it is the same',
  differs: 'No: stop',
  giveUp: 'Give up',
  forOwner: 'Does another person have the phone?',
  forOwnerText:
    'Send them this link. It needs no login, works once, and only in the browser that opens it first.',
  copyLink: 'Copy link',
} as const;

/** For a number that is linked already, and that the network lets in with its passkey only. */
export const loginTexts = {
  title: 'WhatsApp asks for the passkey',
  lead: 'The number stays linked, and messages wait. WhatsApp lets it in again once the passkey of the account was used. Do this on a computer.',
  phone: 'Have the phone beside you',
  phoneText: 'The passkey may be on it. Nothing has to be scanned.',
  doneText: 'This page says when the number is connected.',
  working: 'WhatsApp checks the passkey',
  pendingText:
    'WhatsApp asks again automatically. If you have the passkey at hand, let it ask now; that takes up to a minute.',
  asking: 'WhatsApp is being asked. This takes up to a minute.',
  ask: 'Ask now',
  failed: 'The passkey was of no use',
  connected: 'Connected again',
  connectedText: 'You can close this page. Messages that waited are on their way.',
} as const;

export const linkPageTexts = {
  title: 'Link your WhatsApp',
  opening: 'Opening the link',
  linked: 'Linked',
  linkedText:
    'You can close this page. On the phone the new device stands under Linked devices, where you can remove it at any time.',
  failed: 'It was not linked',
  again: 'Ask the sender of the link for a new one.',
  refused: 'This link does not work here',
  offline: 'No connection. This page retries automatically.',
} as const;

/** Advice for error codes whose text gives none. */
export const passkeyAdvice: Readonly<Record<string, string>> = {
  passkey_missing:
    'Create a passkey first: on the phone, in WhatsApp under Settings, Account, Passkeys. Then link again.',
  passkey_refused: 'Use the passkey of this very account: a phone with two accounts has two.',
  passkey_expired: 'Have the phone and the passkey at hand, then link again.',
  passkey_not_continued: 'Keep WhatsApp open on the phone until this page says that it is linked.',
  passkey_superseded: 'Scan or type once, and finish on this page before you begin anew on the phone.',
};
