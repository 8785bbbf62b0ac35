import { createSystemClock } from '#kernel';
import { checkMail } from '#mail';
import type { Check } from './check.ts';

/** The server is asked to let us in; no mail is sent. */
export const mail: Check = {
  name: 'mail',
  async run({ mailUrl: url, mailFrom: from }) {
    if (url === undefined || from === undefined)
      return 'none; passwords are recovered by parley account reset-password';
    await checkMail({ url, from }, createSystemClock());
    return `from ${from}`;
  },
};
