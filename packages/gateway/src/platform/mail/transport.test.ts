import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { line } from './mail-text.ts';
import { type MailServer, startMailServer } from './testing/mail-server.ts';
import { createMailTransport, MailRefused } from './transport.ts';

let server: MailServer;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(() => server.close());

const message = { to: 'ada@example.com', subject: line`Hello`, text: [line`Hello.`] };

function transportTo(url: string) {
  return createMailTransport({ url, from: 'parley@example.com', clock: createSystemClock() });
}

it('distinguishes a refusal of the server from a bug of the gateway', async () => {
  const transport = transportTo(server.url);
  server.reply = 451;
  await expect(transport.send(message)).rejects.toBeInstanceOf(MailRefused);
  // No server has refused this: the mail itself is invalid.
  const broken = { ...message, text: Symbol('no text') as unknown as typeof message.text };
  const failure = await transport.send(broken).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure).not.toBeInstanceOf(MailRefused);
  transport.close();
});
