import {
  type Clock,
  growingPause,
  type Ids,
  type LineLog,
  type Random,
  type SealedBox,
  startPeriodicJob,
  UnopenableBox,
  waitAtMost,
} from '#kernel';
import { isPassing, type MailRow, type Store, type Writer } from '#platform/store';
import { deleteMail, dueMails, insertMail, postpone } from './mail-queries.ts';
import type { Mail } from './mail-text.ts';
import { MailRefused, type MailTransport } from './transport.ts';

/** Data of a mail, as its template expects it. */
type MailPayload = Readonly<Record<string, string>>;

/**
 * One template per kind of mail, rendered while the mail is sent: its content is current, and a link in it is created then and stored
 * nowhere. Undefined: there is no recipient any more.
 */
export type MailTemplates = Readonly<Record<string, (matter: MailPayload) => Promise<Mail | undefined>>>;

/** Queue of mails. Its content survives a crash, and is retried until it is sent or has expired. */
export interface MailOutbox {
  /** Call inside the transaction that requires the mail. It is sent after the commit, at the latest some seconds after `wake`. */
  put(trx: Writer, mail: { kind: string; matter: MailPayload; wantedForMs: number }): Promise<void>;
  /** Signals a new mail. */
  wake(): void;
  /** Registers a listener for new mails. */
  onWake(listener: () => void): void;
}

export function createMailOutbox({
  clock,
  ids,
  sealedBox,
}: {
  clock: Pick<Clock, 'now'>;
  ids: Pick<Ids, 'mail'>;
  sealedBox: Pick<SealedBox, 'seal'>;
}): MailOutbox {
  const listeners: (() => void)[] = [];
  return {
    async put(trx, { kind, matter, wantedForMs }) {
      const id = ids.mail();
      const now = clock.now();
      await insertMail(trx, {
        id,
        kind,
        sealed: sealedBox.seal(Buffer.from(JSON.stringify(matter)), contextOfMail(id)),
        attempts: 0,
        due_at: now,
        expires_at: now + wantedForMs,
        created_at: now,
      });
    },
    wake: () => {
      for (const listener of listeners) listener();
    },
    onWake: (listener) => void listeners.push(listener),
  };
}

function openMailPayload(
  sealedBox: Pick<SealedBox, 'open'>,
  { id, sealed }: { id: string; sealed: Uint8Array },
): MailPayload {
  return JSON.parse(Buffer.from(sealedBox.open(sealed, contextOfMail(id))).toString());
}

export function contextOfMail(id: string): string {
  return `mail ${id}`;
}

interface SenderParts {
  readonly store: Store;
  readonly sealedBox: Pick<SealedBox, 'open'>;
  /** The machine's clock: recipients wait in real time. */
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly outbox: Pick<MailOutbox, 'onWake'>;
  readonly transport: MailTransport;
  readonly writers: MailTemplates;
  readonly log: SenderLog;
}

type SenderLog = LineLog<'debug' | 'warn' | 'error'>;

const LOOK_EVERY_MS = 5_000;
const PER_LOOK = 20;
/** Longer than one sending takes: afterwards a mail whose sender died is sent again. */
const IN_HAND_MS = 60_000;
const FINISH_MS = 2_000;
/** A bug does not pass with time: a mail that met one this often, or was refused before, is dropped. */
const ATTEMPTS_DESPITE_DEFECT = 3;
const RETRIES = { firstMs: 5_000, longestMs: 15 * 60_000, jitter: 0.1 };

/** Sends mails from the outbox one after the other, in every process that runs it; a lease keeps each mail with one sender. */
export function startMailSender(parts: SenderParts): { stop(): Promise<void> } {
  const { store, clock, random, outbox, transport, log } = parts;
  async function handle(row: MailRow): Promise<void> {
    const inHand = { ...row, attempts: row.attempts + 1, due_at: clock.now() + IN_HAND_MS };
    const claim = { ...row, attempts: inHand.attempts };
    if (!(await store.transaction((trx) => postpone(trx, claim, inHand.due_at)))) return;
    if (await isDone(parts, row)) {
      await store.transaction((trx) => deleteMail(trx, row.id));
      return;
    }
    const dueAt = clock.now() + growingPause(RETRIES, inHand.attempts, random);
    await store.transaction((trx) => postpone(trx, inHand, dueAt));
  }

  async function lookOnce(stopping: AbortSignal): Promise<void> {
    for (;;) {
      const due = await dueMails(store, clock.now(), PER_LOOK);
      for (const row of due) {
        if (stopping.aborted) return;
        await handle(row);
      }
      if (due.length < PER_LOOK) return;
    }
  }

  const looking = startPeriodicJob({
    clock,
    everyMs: LOOK_EVERY_MS,
    work: lookOnce,
    log,
    name: 'mails',
    onWake: outbox.onWake,
  });
  return {
    async stop() {
      // A mail in progress is sent again by the next process.
      await waitAtMost(clock, FINISH_MS, looking.stop());
      transport.close();
    },
  };
}

/** True when it was sent, or never will be; false when it is retried. */
async function isDone(parts: SenderParts, row: MailRow): Promise<boolean> {
  const { log } = parts;
  try {
    await leave(parts, row);
    return true;
  } catch (error) {
    if (error instanceof MailRefused) {
      const what = error.forGood
        ? 'a mail was refused for good'
        : 'a mail could not be sent; it is tried again';
      log.warn(describeFailure(row, error), what);
      return error.forGood;
    }
    const facts = { mail: row.id, kind: row.kind, attempts: row.attempts + 1, err: error };
    if (isPassing(error)) {
      log.error(facts, 'a mail could not be written because of the database; it is tried again');
      return false;
    }
    const isGivenUp = row.attempts + 1 >= ATTEMPTS_DESPITE_DEFECT;
    const rest = isGivenUp ? 'it is given up' : 'it is tried again';
    log.error(facts, `a mail could not be written because of a defect of the gateway; ${rest}`);
    return isGivenUp;
  }
}

/** Resolves when it was sent, or there is nothing to send any more. */
async function leave({ sealedBox, writers, transport, clock }: SenderParts, row: MailRow): Promise<void> {
  if (row.expires_at <= clock.now()) throw new MailExpired();
  const write = writers[row.kind];
  if (!write) throw new Error(`no mail of the kind ${row.kind} is known`);
  const message = await write(decodeMailPayload(sealedBox, row));
  if (message) await transport.send(message);
}

function decodeMailPayload(
  sealedBox: SenderParts['sealedBox'],
  row: MailRow,
): ReturnType<typeof openMailPayload> {
  try {
    return openMailPayload(sealedBox, row);
  } catch (error) {
    // Sealed under a master key that is no longer configured.
    if (error instanceof UnopenableBox) throw new MailExpired();
    throw error;
  }
}

class MailExpired extends MailRefused {
  override readonly forGood = true;

  constructor() {
    super('EEXPIRED', undefined);
  }
}

function describeFailure({ id, kind, attempts }: MailRow, { code, reply }: MailRefused): object {
  return { mail: id, kind, attempts: attempts + 1, code, ...(reply !== undefined && { reply }) };
}
