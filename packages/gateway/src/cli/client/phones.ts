import { text } from 'node:stream/consumers';
import { createSystemClock } from '#kernel';
import { createEgress } from '#platform/egress';
import { readEnvironment, SETTINGS } from '../../config/config.ts';
import { CommandError, type ConnectionOptions, type Run } from '../command.ts';
import type {
  SANDBOX_MESSAGES,
  SANDBOX_PHONE,
  SANDBOX_PHONES,
  SANDBOX_REPLY,
  SANDBOX_SCAN,
} from '../specs.ts';
import { asFields, asTable } from '../terminal.ts';
import { urlOf } from './connect.ts';

/** A virtual phone, as far as it is shown. */
interface Phone {
  readonly phone: string;
  readonly name: string;
  readonly about: string;
}

interface Bubble {
  readonly message_id: string;
  readonly sender_jid: string;
  readonly type: string;
  readonly text?: string;
}

export const listPhones: Run<typeof SANDBOX_PHONES> = async ({ connection, terminal }) => {
  const { phones } = await ask<{ phones: Phone[] }>(connection, '/phones');
  terminal.show({ phones }, () =>
    asTable(
      ['phone', 'name', 'about'],
      phones.map(({ phone, name, about }) => [phone, name, about]),
    ),
  );
};

export const addPhone: Run<typeof SANDBOX_PHONE> = async ({ args, options, connection, terminal }) => {
  const { phone, name = phone } = args;
  const made = await ask<Phone>(connection, '/phones', {
    phone,
    name,
    ...(options['auto-read'] && { auto_read: true }),
  });
  terminal.show(made, () => asFields({ phone: made.phone, name: made.name, about: made.about }));
};

export const scan: Run<typeof SANDBOX_SCAN> = async ({ args, connection, terminal }) => {
  const shown = (args.qr === undefined || args.qr === '-' ? await text(process.stdin) : args.qr).trim();
  // A code to type is short and has a dash in its middle; a QR is neither.
  const isCode = /^[0-9A-Z]{4}-?[0-9A-Z]{4}$/.test(shown);
  const [path, body] = isCode ? ['enter-code', { code: shown }] : ['scan', { qr: shown }];
  const linked = await ask<{ session_id: string }>(connection, `/phones/${args.phone}/${path}`, body);
  terminal.show(linked, () => `Linked: ${linked.session_id}`);
};

export const reply: Run<typeof SANDBOX_REPLY> = async ({ args, connection, terminal }) => {
  const words = args.text === '-' ? (await text(process.stdin)).replace(/\n$/, '') : args.text;
  const sent = await ask<{ message_id: string }>(connection, `/phones/${args.phone}/messages`, {
    to: args.to,
    text: words,
  });
  terminal.show(sent, () => `Sent as ${sent.message_id}`);
};

export const showMessages: Run<typeof SANDBOX_MESSAGES> = async ({ args, connection, terminal }) => {
  const { messages } = await ask<{ messages: Bubble[] }>(connection, `/phones/${args.phone}/messages`);
  const row = (each: Bubble) => [each.message_id, each.sender_jid, each.type, each.text];
  terminal.show({ messages }, () => asTable(['message', 'from', 'type', 'text'], messages.map(row)));
};

const LONGEST_ANSWER_MS = 60_000;
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;

/** Of the virtual network that the gateway at this address has; nothing of it is in the API, and so not in the SDK. */
async function ask<T>(connection: ConnectionOptions, path: string, body?: object): Promise<T> {
  const environment = readEnvironment();
  const token = connection.token ?? environment[SETTINGS.operatorToken.name];
  const url = urlOf(connection, environment);
  const egress = createEgress({ clock: createSystemClock(), publicOnly: false });
  try {
    const { status, body: said } = await egress.ask(`${url}/sandbox/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      timeoutMs: LONGEST_ANSWER_MS,
      maxBytes: ANSWER_MAX_BYTES,
    });
    return answerOf<T>(status, said.toString());
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`nothing answers at ${url}; start it with parley start, or pass --url`);
  } finally {
    await egress.close();
  }
}

function answerOf<T>(status: number, said: string): T {
  const isJson = said.startsWith('{');
  if (status < 300 && isJson) return JSON.parse(said);
  const { error = `the sandbox answered with ${status}` }: { error?: string } = isJson
    ? JSON.parse(said)
    : {};
  throw new CommandError(error === 'not found' ? `${error}; does this gateway use the sandbox?` : error);
}
