import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { line } from './letter.ts';
import { type MailServer, startMailServer } from './testing/mail-server.ts';
import { createMailTransport, MailRefused } from './transport.ts';

let server: MailServer;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(() => server.close());

const letter = { to: 'ada@example.com', subject: line`Hello`, text: [line`Hello.`] };

function transportTo(url: string) {
  return createMailTransport({ url, from: 'parley@example.com', clock: createSystemClock() });
}

it('tells what a server refuses from what is wrong with the gateway itself', async () => {
  const transport = transportTo(server.url);
  server.reply = 451;
  await expect(transport.send(letter)).rejects.toBeInstanceOf(MailRefused);
  // No server has said this: the letter is none.
  const broken = { ...letter, text: Symbol('no text') as unknown as typeof letter.text };
  const failure = await transport.send(broken).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure).not.toBeInstanceOf(MailRefused);
  transport.close();
});
