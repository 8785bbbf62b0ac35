export interface MailTables {
  mail_outbox: MailRow;
}

/** A mail that was asked for and has not left yet. */
export interface MailRow {
  id: string;
  kind: string;
  /** What it is about. The words, and the secrets among them, are put down only while it leaves. */
  sealed: Uint8Array;
  attempts: number;
  /** When it may be tried. Whoever tries it moves this first, so that nobody else does at the same time. */
  due_at: number;
  /** After that nobody wants it any more. */
  expires_at: number;
  created_at: number;
}
