import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createIds, createSealedBox, createSteppedClock, systemRandom, type TravelClock } from '#kernel';
import { type Store, StoreError } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { line } from './mail-text.ts';
import { createMailOutbox, type MailTemplates, startMailSender } from './outbox.ts';
import { type MailServer, startMailServer } from './testing/mail-server.ts';
import { createMailTransport } from './transport.ts';

const HOUR_MS = 3_600_000;
const SECRET = 'link-for-the-recipient-alone';

describeOnEachDatabase('a mail', (test) => {
  let server: MailServer;
  let clock: TravelClock;
  let logged: string;
  let errors: { details: { err?: unknown }; message: string }[];
  let databaseIsAway = false;
  const stops: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    server = await startMailServer();
    clock = createSteppedClock();
    logged = '';
    errors = [];
    await test.store.transaction((trx) => trx.deleteFrom('mail_outbox').execute());
  });
  afterEach(async () => {
    const stopped = Promise.all(stops.splice(0).map((stop) => stop()));
    clock.advance(2_000);
    await stopped;
    await server.close();
  });

  const sealedBox = createSealedBox({ masterKeys: [Buffer.alloc(32, 7)], random: systemRandom });
  const writers: MailTemplates = {
    hello: async ({ to = '' }) => ({
      to,
      subject: line`Grüße`,
      text: [line`Hello: http://127.0.0.1/#${SECRET}`],
    }),
    departed: async () => undefined,
    broken: async () => {
      throw new TypeError('mail.text is not a function');
    },
    unlucky: async () => {
      if (databaseIsAway) throw new StoreError('unavailable', 'the database is away');
      return { to: 'ada@example.com', subject: line`At last`, text: [line`Hello.`] };
    },
  };

  function open(store: Store = test.store) {
    const ids = createIds({ clock, random: systemRandom });
    const outbox = createMailOutbox({ clock, ids, sealedBox });
    const note = (details: object, message: string) => {
      logged += JSON.stringify({ message, ...details });
    };
    const begin = (url = server.url) => {
      const transport = createMailTransport({ url, from: 'Parley <parley@example.com>', clock });
      const log = {
        debug() {},
        error: (details: object, message: string) => {
          errors.push({ details, message });
          note(details, message);
        },
        warn: note,
      };
      const sender = startMailSender({
        ...{ store, sealedBox, clock, random: systemRandom, outbox, transport, writers, log },
      });
      stops.push(() => sender.stop());
      return sender;
    };
    const put = async (kind = 'hello', to = 'ada@example.com', wantedForMs = HOUR_MS) => {
      await store.transaction((trx) => outbox.put(trx, { kind, matter: { to }, wantedForMs }));
      outbox.wake();
    };
    return { begin, put };
  }

  const waiting = () => test.store.read.selectFrom('mail_outbox').selectAll().execute();
  const rest = (want: number) => vi.waitFor(async () => expect(await waiting()).toHaveLength(want));
  /** Until it has failed this way, and its next attempt is scheduled. */
  const failed = (how: string) =>
    vi.waitFor(async () => {
      expect(logged).toContain(how);
      expect((await waiting())[0]?.due_at).toBeLessThan(clock.now() + 10_000);
    });
  /** Advances some seconds at a time, so that a mail is sent before the connection times out. */
  const restInTime = (want: number) =>
    vi.waitFor(
      async () => {
        clock.advance(3_000);
        expect(await waiting()).toHaveLength(want);
      },
      { interval: 200, timeout: 10_000 },
    );

  it('is sent as written, and then deleted', async () => {
    const { begin, put } = open();
    begin();
    await put();
    await rest(0);
    expect(server.mails).toMatchObject([{ from: 'parley@example.com', to: ['ada@example.com'] }]);
    expect(server.linkTo('ada@example.com')).toBe(`http://127.0.0.1/#${SECRET}`);
    expect(server.mails[0]?.raw).toContain('Auto-Submitted: auto-generated');
  });

  it('is sealed while it waits', async () => {
    const { put } = open();
    await put();
    const [row] = await waiting();
    expect(Buffer.from(row?.sealed ?? []).toString('latin1')).not.toContain('ada@');
  });

  it('waits for an unavailable server, across a crash, and logs nothing of its content', async () => {
    const { begin, put } = open();
    const url = server.url;
    await server.close();
    const first = begin(url);
    await put();
    await failed('ESOCKET');
    await first.stop();
    server = await startMailServer({ port: Number(new URL(url).port) });
    open().begin(url);
    await restInTime(0);
    expect(server.mails).toHaveLength(1);
    expect(logged).toContain('tried again');
    for (const secret of [SECRET, 'ada@', 'hidden-word']) expect(logged).not.toContain(secret);
  });

  it('is retried after a temporary refusal, and dropped after a permanent one', async () => {
    const { begin, put } = open();
    begin();
    server.reply = 451;
    await put();
    await failed('"reply":451');
    server.reply = 550;
    await restInTime(0);
    expect(server.mails).toHaveLength(0);
    expect(logged).toContain('refused for good');
    expect(logged).not.toContain('ada@');
  });

  it('waits at most half a minute for an unresponsive server, and is then retried', async () => {
    const { begin, put } = open();
    begin();
    server.ignoresConnections = true;
    await put();
    await vi.waitFor(() => expect(server.ignored).toBe(1));
    clock.advance(29_999);
    expect(logged).toBe('');
    clock.advance(1);
    await failed('ETIMEDOUT');
    server.ignoresConnections = false;
    await restInTime(0);
    expect(server.mails).toHaveLength(1);
  });

  it('logs an error with its stack when its template fails, and is dropped after three attempts', async () => {
    const { begin, put } = open();
    begin();
    await put('broken');
    await restInTime(0);
    expect(errors).toHaveLength(3);
    for (const { details } of errors) expect(details.err).toBeInstanceOf(TypeError);
    expect(errors.at(-1)?.message).toContain('given up');
    expect(logged).not.toContain('could not be sent');
    expect(server.mails).toHaveLength(0);
  });

  it('of an unknown kind counts as a bug, too', async () => {
    const { begin, put } = open();
    begin();
    await put('unknown-kind');
    await restInTime(0);
    expect(errors.at(-1)?.details.err).toMatchObject({ message: expect.stringContaining('unknown-kind') });
  });

  it('waits longer for an unavailable database than for a bug', async () => {
    const { begin, put } = open();
    databaseIsAway = true;
    begin();
    await put('unlucky');
    await vi.waitFor(
      () => {
        clock.advance(3_000);
        expect(errors.length).toBeGreaterThan(4);
      },
      { interval: 50, timeout: 10_000 },
    );
    databaseIsAway = false;
    await restInTime(0);
    expect(server.mails).toHaveLength(1);
  });

  it('is sent once, however many processes look for it', async () => {
    const { begin, put } = open();
    const elsewhere = open(await test.openAgain());
    begin();
    elsewhere.begin();
    for (let i = 0; i < 10; i++) await put('hello', `friend-${i}@example.com`);
    await restInTime(0);
    const receivers = server.mails.map(({ to: [to] }) => to);
    expect(new Set(receivers).size).toBe(10);
    expect(receivers).toHaveLength(10);
  });

  it('is dropped when it has expired, or has no recipient any more', async () => {
    const { begin, put } = open();
    await put('hello', 'late@example.com', 1_000);
    await put('departed');
    clock.advance(1_000);
    begin();
    await rest(0);
    expect(server.mails).toHaveLength(0);
  });
});
