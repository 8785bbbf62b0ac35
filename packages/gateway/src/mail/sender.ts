import {
  type Clock,
  growingPause,
  type LineLog,
  type Random,
  type SealedBox,
  startPeriodicJob,
  UnopenableBox,
  waitAtMost,
} from '#kernel';
import { isPassing, type MailRow, type Store } from '#store';
import { type LetterWriters, type MailOutbox, openMatter } from './outbox.ts';
import { deleteMail, dueMails, postpone } from './store.ts';
import { MailRefused, type MailTransport } from './transport.ts';

interface SenderParts {
  readonly store: Store;
  readonly sealedBox: Pick<SealedBox, 'open'>;
  /** The machine's: those who wait for a mail live by it. */
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly outbox: Pick<MailOutbox, 'onWake'>;
  readonly transport: MailTransport;
  readonly writers: LetterWriters;
  readonly log: SenderLog;
}

type SenderLog = LineLog<'debug' | 'warn' | 'error'>;

const LOOK_EVERY_MS = 5_000;
const PER_LOOK = 20;
/** Longer than one sending takes: a mail whose sender died is tried again after that. */
const IN_HAND_MS = 60_000;
const FINISH_MS = 2_000;
/** A defect of ours does not pass by itself: a mail that met one this often, or was refused before, is given up. */
const ATTEMPTS_DESPITE_DEFECT = 3;
const RETRIES = { firstMs: 5_000, longestMs: 15 * 60_000, jitter: 0.1 };

/** Takes mails out of the outbox, one after the other, in every process that runs it; each mail is in one hand at a time. */
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
      // What is in hand is tried again by whoever comes next.
      await waitAtMost(clock, FINISH_MS, looking.stop());
      transport.close();
    },
  };
}

/** Whether it has left, or will never leave; false when it is tried again. */
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
      log.warn(told(row, error), what);
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

/** Resolves when it has left, or there is nothing to send any more. */
async function leave({ sealedBox, writers, transport, clock }: SenderParts, row: MailRow): Promise<void> {
  if (row.expires_at <= clock.now()) throw new MailExpired();
  const write = writers[row.kind];
  if (!write) throw new Error(`no mail of the kind ${row.kind} is known`);
  const letter = await write(openLetterMatter(sealedBox, row));
  if (letter) await transport.send(letter);
}

function openLetterMatter(sealedBox: SenderParts['sealedBox'], row: MailRow): ReturnType<typeof openMatter> {
  try {
    return openMatter(sealedBox, row);
  } catch (error) {
    // Under a master key that is no longer known it stays closed.
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

function told({ id, kind, attempts }: MailRow, { code, reply }: MailRefused): object {
  return { mail: id, kind, attempts: attempts + 1, code, ...(reply !== undefined && { reply }) };
}
