import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A received mail, parsed as far as tests need it. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly text: string;
}

/** A real mail server on this machine, which stores what it accepts. */
export interface MailServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Its reply to the next recipients, such as 451 or 550; 250 accepts them. */
  reply: number;
  /** Accepts connections and never answers. */
  ignoresConnections: boolean;
  /** Number of connections that wait for a response. */
  readonly ignored: number;
  /** The link in the newest mail to this address. */
  linkTo(address: string): string;
  close(): Promise<void>;
}

const MAIL_USER = 'parley';
const MAIL_PASSWORD = 'hidden-word-of-the-mail-server';

export async function startMailServer({ port = 0 }: { port?: number } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const state = { reply: 250, ignoresConnections: false, ignored: 0 };
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect(_session, done) {
      if (state.ignoresConnections) state.ignored += 1;
      else done();
    },
    onAuth: ({ username, password }, _session, done) =>
      username === MAIL_USER && password === MAIL_PASSWORD
        ? done(null, { user: username })
        : done(new Error('Invalid username or password')),
    onRcptTo: ({ address }, _session, done) =>
      state.reply === 250
        ? done()
        : done(Object.assign(new Error(`no mail for ${address}`), { responseCode: state.reply })),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          text: textOf(raw),
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const listening = (server.server.address() as AddressInfo).port;

  return {
    url: `smtp://${MAIL_USER}:${MAIL_PASSWORD}@127.0.0.1:${listening}`,
    mails,
    get reply() {
      return state.reply;
    },
    set reply(reply) {
      state.reply = reply;
    },
    get ignoresConnections() {
      return state.ignoresConnections;
    },
    set ignoresConnections(ignoresConnections) {
      state.ignoresConnections = ignoresConnections;
    },
    get ignored() {
      return state.ignored;
    },
    linkTo(address) {
      const mail = mails.findLast(({ to }) => to.includes(address));
      const [link] = /https?:\/\/\S+/.exec(mail?.text ?? '') ?? [];
      if (link === undefined) throw new Error(`No mail with a link came for ${address}.`);
      return link;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The text behind the headers, with the soft line breaks of quoted-printable removed. */
function textOf(raw: string): string {
  const [, body = ''] = /\r?\n\r?\n([\s\S]*)$/.exec(raw) ?? [];
  if (/^content-transfer-encoding: base64/im.test(raw)) return Buffer.from(body, 'base64').toString();
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
