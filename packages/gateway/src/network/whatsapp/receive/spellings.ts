import type { Jid } from '../../content.ts';
import { digitsOf, phoneJid } from '../convert/index.ts';
import type { Vault } from '../vault/index.ts';

/**
 * Numbers that their accounts do not have, by their digits, with the digits of the account: Brazilian numbers with
 * or without the ninth digit, Mexican ones with or without a 1, Argentinian ones with or without a 9. The network
 * finds the account under both, and delivers to its own number only.
 */
const SPELLING = 'spelling';

/** Own numbers of the accounts that are known to have another one than these. */
export async function accountsSpelled(
  vault: Pick<Vault, 'read'>,
  jids: readonly Jid[],
): Promise<Map<Jid, Jid>> {
  const found = await vault.read(SPELLING, jids.map(digitsOf));
  return new Map(
    jids.flatMap((jid) => {
      const digits = found.get(digitsOf(jid));
      return typeof digits === 'string' ? [[jid, phoneJid(digits)] as const] : [];
    }),
  );
}

export async function accountSpelled(vault: Pick<Vault, 'read'>, jid: Jid): Promise<Jid | undefined> {
  return (await accountsSpelled(vault, [jid])).get(jid);
}

/** Stores the accounts of numbers that are not their own. */
export async function learnSpellings(
  vault: Pick<Vault, 'commit'>,
  accounts: Iterable<readonly [asked: Jid, account: Jid]>,
): Promise<void> {
  const others = [...accounts].filter(([asked, account]) => asked !== account);
  if (others.length === 0) return;
  const puts = others.map(([asked, account]) => ({
    ...{ kind: SPELLING, id: digitsOf(asked) },
    value: digitsOf(account),
  }));
  await vault.commit({ puts });
}

export async function forgetSpelling(vault: Pick<Vault, 'commit'>, jid: Jid): Promise<void> {
  await vault.commit({ deletes: [{ kind: SPELLING, id: digitsOf(jid) }] });
}
