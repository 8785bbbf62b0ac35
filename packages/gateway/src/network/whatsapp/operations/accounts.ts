import type { WASocket } from 'baileys';
import { settled } from '#kernel';
import type { Jid } from '../../content.ts';
import type { LookUpResult } from '../../operations.ts';
import { isPhone, phoneJid } from '../convert/index.ts';
import { personAt } from '../receive/people.ts';
import { accountSpelled, forgetSpelling, learnSpellings } from '../receive/spellings.ts';
import type { SessionContext } from '../session-context.ts';
import type { NumberLookup } from './number-lookup.ts';

/** Number checks of one session, which keeps the accounts of numbers in another spelling in its vault. */
export interface Accounts {
  /** The account's own number; undefined when the network does not know this one in any spelling. */
  find(sock: WASocket, jid: Jid): Promise<Jid | undefined>;
  /** The canonical address of a chat. */
  chatOf(jid: Jid): Promise<Jid>;
  /** The next `find` asks the network, after the account could not be reached. */
  forget(jid: Jid): Promise<void>;
  lookUp(sock: WASocket, numbers: readonly string[]): Promise<readonly LookUpResult[]>;
}

export function createAccounts(context: Pick<SessionContext, 'vault'>, numbers: NumberLookup): Accounts {
  return {
    async find(sock, jid) {
      if (numbers.recent(jid)?.account === jid) return jid;
      const known = await accountSpelled(context.vault(), jid);
      if (known !== undefined) return known;
      const account = await numbers.find(sock, jid);
      if (account !== undefined) await learnSpellings(context.vault(), [[jid, account]]);
      return account;
    },
    async chatOf(jid) {
      const vault = context.vault();
      return personAt(vault, (isPhone(jid) && (await accountSpelled(vault, jid))) || jid);
    },
    async forget(jid) {
      numbers.forget(jid);
      // A failed commit ends the session with its own error.
      await settled(forgetSpelling(context.vault(), jid));
    },
    async lookUp(sock, wanted) {
      const results = await numbers.lookUp(sock, wanted);
      await learnSpellings(
        context.vault(),
        results.flatMap(({ number, jid }) => (jid === undefined ? [] : [[phoneJid(number), jid] as const])),
      );
      return results;
    },
  };
}
