import { type AuthenticationCreds, BufferJSON } from 'baileys';
import type { Clock, SealedBox } from '#kernel';
import type { Store } from '#store';
import { accountOf, digitsOf } from '../convert/jid.ts';
import { createLinkStore, storeLink } from '../vault/index.ts';

/** A link that another program made with the same library, and has written down as text. */
export interface ForeignLink {
  readonly creds: AuthenticationCreds;
  readonly phone: string;
  readonly sessionId: string;
  readonly lid: string | null;
}

/** Undefined when the text is no credentials, or those of a number that was never linked. */
export function readForeignLink(text: string): ForeignLink | undefined {
  const creds = parsed(text);
  const { id = '', lid } = creds?.me ?? {};
  const isWhole = creds?.noiseKey && creds.signedIdentityKey && creds.signedPreKey && creds.account;
  const phone = digitsOf(id);
  if (!creds || !isWhole || !/^\d+:\d+@s\.whatsapp\.net$/.test(id) || phone === '') return undefined;
  return { creds, phone, sessionId: id, lid: lid ? accountOf(lid) : null };
}

function parsed(text: string): AuthenticationCreds | undefined {
  try {
    const value: unknown = JSON.parse(text, BufferJSON.reviver);
    // Some write the text of the text.
    const inner: unknown = typeof value === 'string' ? JSON.parse(value, BufferJSON.reviver) : value;
    return typeof inner === 'object' && inner !== null ? (inner as AuthenticationCreds) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps it as one of ours, sealed; nobody owns it yet. */
export async function adoptLink(
  { store, sealedBox, clock }: { store: Store; sealedBox: SealedBox; clock: Pick<Clock, 'now'> },
  linkId: string,
  { creds }: ForeignLink,
): Promise<void> {
  await storeLink({ links: createLinkStore(store), sealedBox, clock }, linkId, creds);
}

/** Of a link that nobody came to own. */
export function forgetLink(store: Store, linkId: string): Promise<void> {
  return createLinkStore(store).forget(linkId);
}
