import { isIP } from 'node:net';
import type { Transporter } from 'nodemailer';
import { awaitedLater, type Clock, within } from '#kernel';
import { type Mail, textOf } from './mail-text.ts';

export interface MailTransport {
  /** Resolves when the server has accepted it. */
  send(mail: Mail): Promise<void>;
  /** Resolves when the server accepts the login. */
  check(): Promise<void>;
  close(): void;
}

/** Why a mail was refused. Contains neither its content nor its recipient. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** Error code of the library, such as ECONNECTION. */
  readonly code: string;
  /** Reply code of the server, such as 550. */
  readonly reply: number | undefined;
  /** Permanent: this mail will never be accepted; another may. */
  readonly forGood: boolean;

  constructor(code: string, reply: number | undefined) {
    super(reply === undefined ? code : `${code} ${reply}`);
    this.code = code;
    this.reply = reply;
    this.forGood = reply !== undefined && reply >= 500 && PERMANENT_REPLY_CODES.has(code);
  }
}

const PERMANENT_REPLY_CODES: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);
const ANSWER_WITHIN_MS = 10_000;
const WHOLE_SENDING_MS = 30_000;

export function createMailTransport({
  url,
  from,
  clock,
}: {
  url: string;
  from: string;
  clock: Pick<Clock, 'after'>;
}): MailTransport {
  let transporter: Promise<Transporter> | undefined;

  /** The library is loaded with the first mail, to keep the start fast. */
  function obtain(): Promise<Transporter> {
    transporter ??= import('nodemailer').then(({ createTransport }) => createTransport(optionsOf(url)));
    return transporter;
  }

  async function ask(work: (transporter: Transporter) => Promise<unknown>): Promise<void> {
    const asked = obtain().then(work);
    await within(clock, WHOLE_SENDING_MS, asked, () => new MailRefused('ETIMEDOUT', undefined)).catch(
      (error: unknown) => {
        throw error instanceof MailRefused ? error : refusalOf(error);
      },
    );
  }

  return {
    send: (message) =>
      ask((transporter) =>
        transporter.sendMail({
          from,
          to: { name: '', address: message.to },
          subject: message.subject.line,
          text: textOf(message),
          // Suppresses auto-replies and bounce mails.
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
      ),
    check: () => ask((transporter) => transporter.verify()),
    close() {
      // The first mail has reported why it could not be created.
      if (transporter) awaitedLater(transporter.then((each) => each.close()));
    },
  };
}

function optionsOf(text: string) {
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 465 : 587)),
    secure,
    // A password never travels unencrypted, except on this machine.
    requireTLS: user !== '' && !isThisMachine(url.hostname),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: ANSWER_WITHIN_MS,
    greetingTimeout: ANSWER_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
    // Mail content is our own text: it references no files and no addresses to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function isThisMachine(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** Delivery errors of the library have a code; anything else is a bug and stays unchanged. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return error;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof code !== 'string') return error;
  return new MailRefused(code, typeof responseCode === 'number' ? responseCode : undefined);
}

/** For `parley doctor`: whether the mail server is reachable and accepts the login. */
export async function checkMail(
  { url, from }: { url: string; from: string },
  clock: Pick<Clock, 'after'>,
): Promise<void> {
  const transport = createMailTransport({ url, from, clock });
  try {
    await transport.check();
  } finally {
    transport.close();
  }
}
