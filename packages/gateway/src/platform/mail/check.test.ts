import { expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { startMailServer } from './testing/mail-server.ts';
import { checkMail } from './transport.ts';

it('reports in the doctor whether the mail server accepts the login', async () => {
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
