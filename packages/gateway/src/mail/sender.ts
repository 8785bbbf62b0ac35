import {
  type Clock,
  growingPause,
  type Random,
  type SealedBox,
  startPeriodicJob,
  UnopenableBox,
  waitAtMost,
} from '#kernel';
import type { MailRow, Store } from '#store';
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

interface SenderLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

const LOOK_EVERY_MS = 5_000;
const PER_LOOK = 20;
/** Longer than one sending takes: a mail whose sender died is tried again after that. */
const IN_HAND_MS = 60_000;
const FINISH_MS = 2_000;
const RETRIES = { firstMs: 5_000, longestMs: 15 * 60_000, jitter: 0.1 };

/** Takes mails out of the outbox, one after the other, in every process that runs it; each mail is in one hand at a time. */
export function startMailSender(parts: SenderParts): { stop(): Promise<void> } {
  const { store, clock, random, outbox, transport, log } = parts;
  async function handle(row: MailRow): Promise<void> {
    const inHand = { ...row, attempts: row.attempts + 1, due_at: clock.now() + IN_HAND_MS };
    const claim = { ...row, attempts: inHand.attempts };
    if (!(await store.transaction((trx) => postpone(trx, claim, inHand.due_at)))) return;
    const refusal = await leave(parts, row);
    if (refusal && !refusal.forGood) {
      const dueAt = clock.now() + growingPause(RETRIES, inHand.attempts, random);
      log.warn(told(row, refusal), 'a mail could not be sent; it is tried again');
      await store.transaction((trx) => postpone(trx, inHand, dueAt));
      return;
    }
    if (refusal) log.warn(told(row, refusal), 'a mail was refused for good');
    await store.transaction((trx) => deleteMail(trx, row.id));
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
    complaint: 'could not look for mails to send; it is tried again',
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

/** Undefined when it has left, or there is nothing to send any more. */
async function leave(
  { sealedBox, writers, transport, clock }: SenderParts,
  row: MailRow,
): Promise<MailRefused | undefined> {
  if (row.expires_at <= clock.now()) return new MailExpired();
  try {
    const letter = await writers[row.kind]?.(openMatter(sealedBox, row));
    if (letter) await transport.send(letter);
    return undefined;
  } catch (error) {
    if (error instanceof MailRefused) return error;
    // Under a master key that is no longer known it stays closed.
    if (error instanceof UnopenableBox) return new MailExpired();
    return new MailRefused('EINTERNAL', undefined);
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
