import { isIP } from 'node:net';
import type { Transporter } from 'nodemailer';
import { awaitedLater, type Clock, within } from '#kernel';
import { type Letter, textOf } from './letter.ts';

export interface MailTransport {
  /** Resolves when the server has taken it. */
  send(letter: Letter): Promise<void>;
  /** Resolves when the server lets us in. */
  check(): Promise<void>;
  close(): void;
}

/** Why a mail was not taken. Says nothing of what was in it, nor of the one it was for. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  /** As the library names it, such as ECONNECTION. */
  readonly code: string;
  /** As the server names it, such as 550. */
  readonly reply: number | undefined;
  /** This letter will never be taken, by whatever was said of it; another may. */
  readonly forGood: boolean;

  constructor(code: string, reply: number | undefined) {
    super(reply === undefined ? code : `${code} ${reply}`);
    this.code = code;
    this.reply = reply;
    this.forGood = reply !== undefined && reply >= 500 && ABOUT_THE_LETTER.has(code);
  }
}

const ABOUT_THE_LETTER: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);
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

  /** The library is loaded with the first mail: the start does not wait for it. */
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
    send: (letter) =>
      ask((transporter) =>
        transporter.sendMail({
          from,
          to: { name: '', address: letter.to },
          subject: letter.subject.line,
          text: textOf(letter),
          // No answering machine answers, and nothing that went wrong comes back as another mail.
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
      ),
    check: () => ask((transporter) => transporter.verify()),
    close() {
      // Why it could not be made was told with the first mail.
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
    // A password never travels in the clear, except inside this machine.
    requireTLS: user !== '' && !isThisMachine(url.hostname),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: ANSWER_WITHIN_MS,
    greetingTimeout: ANSWER_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
    // What is in a letter comes from our own words: it names no files and no addresses to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function isThisMachine(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** What the library says of a delivery has a code; anything else is a defect and stays what it is. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return error;
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof code !== 'string') return error;
  return new MailRefused(code, typeof responseCode === 'number' ? responseCode : undefined);
}
