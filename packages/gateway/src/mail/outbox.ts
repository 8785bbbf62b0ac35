import type { Clock, Ids, SealedBox } from '#kernel';
import type { Writer } from '#store';
import type { Letter } from './letter.ts';
import { insertMail } from './store.ts';

/** What a mail is about, as its writer understands it. */
export type Matter = Readonly<Record<string, string>>;

/**
 * One writer for each kind of mail, asked while the mail leaves: what it says is true then, and a link in it is made then and lies nowhere.
 * Undefined: there is nobody to write to any more.
 */
export type LetterWriters = Readonly<Record<string, (matter: Matter) => Promise<Letter | undefined>>>;

/** Where mails are asked for. What is in it survives a crash, and is tried again until it has left or nobody wants it any more. */
export interface MailOutbox {
  /** Inside the transaction that makes it necessary. Leaves when that is committed, at the latest some seconds after `wake`. */
  put(trx: Writer, mail: { kind: string; matter: Matter; wantedForMs: number }): Promise<void>;
  /** Something was put in. */
  wake(): void;
  /** Calls whenever something was put in. */
  onWake(hear: () => void): void;
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
      for (const hear of listeners) hear();
    },
    onWake: (hear) => void listeners.push(hear),
  };
}

export function openMatter(
  sealedBox: Pick<SealedBox, 'open'>,
  { id, sealed }: { id: string; sealed: Uint8Array },
): Matter {
  return JSON.parse(Buffer.from(sealedBox.open(sealed, contextOfMail(id))).toString());
}

export function contextOfMail(id: string): string {
  return `mail ${id}`;
}
