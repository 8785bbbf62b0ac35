import { expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { checkMail } from './check.ts';
import { startMailServer } from './testing/mail-server.ts';

it('the doctor is let in by a mail server, and told in one word when it is not', async () => {
  const server = await startMailServer();
  const clock = createSystemClock();
  const from = 'parley@example.com';
  try {
    await checkMail({ url: server.url, from }, clock);
    const wrong = server.url.replace(/:[^:@]+@/, ':guess@');
    await expect(checkMail({ url: wrong, from }, clock)).rejects.toThrow(/^EAUTH 535$/);
  } finally {
    await server.close();
  }
  await expect(checkMail({ url: server.url, from }, clock)).rejects.toThrow('ESOCKET');
  expect(server.mails).toEqual([]);
});
