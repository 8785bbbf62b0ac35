import { kind } from './kind.ts';

export const contact = kind('contact', {
  content: (send) => ({ kind: 'contact', displayName: send.display_name, vcard: send.vcard }),
});
