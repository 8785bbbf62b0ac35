import { hash } from 'node:crypto';
import { type Clock, fault, type Random } from '#kernel';
import type { OneTimeLinkRow, Store, Writer } from '#store';
import { deleteExpiredLinks, deleteLink, findLink, insertLink } from './store.ts';

export interface LinksContext {
  readonly store: Store;
  readonly random: Pick<Random, 'bytes'>;
  /** The machine's: people who follow links live by it, whatever time the sandbox has travelled to. */
  readonly machineClock: Clock;
}

type Purpose = OneTimeLinkRow['purpose'];

/** Where each kind of link leads to in the portal. */
const PAGES: Record<Purpose, string> = { password: 'recover', email: 'verify', invitation: 'join' };
const TOKEN_BYTES = 32;

/** Makes the token of a link that is good once; only its hash is kept. */
export async function makeToken(
  { random, machineClock }: LinksContext,
  trx: Writer,
  { purpose, subject, goodForMs }: { purpose: Purpose; subject: string; goodForMs: number },
): Promise<{ token: string; expiresAt: number }> {
  const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
  const now = machineClock.now();
  await deleteExpiredLinks(trx, now);
  const expiresAt = now + goodForMs;
  await insertLink(trx, {
    token_hash: digestOf(token),
    purpose,
    subject,
    expires_at: expiresAt,
    created_at: now,
  });
  return { token, expiresAt };
}

/** The token stands behind the `#`, which browsers send to nobody. */
export function linkTo(origin: string, purpose: Purpose, token: string): string {
  return `${origin}/portal/${PAGES[purpose]}#${token}`;
}

/** What the link was made for; a fault when it is good for nothing, whatever the reason. */
export async function subjectOf(
  { store, machineClock }: LinksContext,
  purpose: Purpose,
  token: string,
): Promise<string> {
  const link = await findLink(store.read, digestOf(token));
  if (link?.purpose !== purpose || link.expires_at <= machineClock.now()) throw fault('link_not_found');
  return link.subject;
}

/** From now on it is good for nothing. A fault when somebody was faster. */
export async function spend(trx: Writer, token: string): Promise<void> {
  if (!(await deleteLink(trx, digestOf(token)))) throw fault('link_not_found');
}

/** A fast hash is enough: the token is random and too long to be guessed. */
function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
