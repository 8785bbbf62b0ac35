import type { Clock } from '#kernel';
import type { Jid } from '../../content.ts';
import type { ContactLinkedEvent } from '../../events.ts';
import { accountOf, digitsOf, isLid, isPhone, lidJid, phoneJid } from '../convert/index.ts';
import type { Change, Vault } from '../vault/index.ts';

type Reading = Pick<Vault, 'read'>;
type Keeping = Pick<Vault, 'read' | 'commit'>;

/**
 * The library's own records of numbers and hidden addresses: `number` → `lid` and `lid_reverse` → `number`, by
 * their digits.
 */
export const MAPPING = 'lid-mapping';
export const REVERSE = '_reverse';
/** People whose chat was first published under the hidden address, by its digits; they keep that name for good. */
const GOES_BY_LID = 'goes-by-lid';

/** Phone number of an account that is known by its hidden address, if the network has sent it. */
export async function phoneBehind(vault: Reading, lid: Jid): Promise<Jid | undefined> {
  return (await phonesBehind(vault, [lid])).get(lid);
}

export async function phonesBehind(vault: Reading, lids: readonly Jid[]): Promise<Map<Jid, Jid>> {
  const nameOf = (lid: Jid): string => `${digitsOf(lid)}${REVERSE}`;
  const found = await vault.read(MAPPING, [...new Set(lids.map(nameOf))]);
  return new Map(
    lids.flatMap((lid) => {
      const digits = found.get(nameOf(lid));
      return typeof digits === 'string' ? [[lid, phoneJid(digits)] as const] : [];
    }),
  );
}

/** Hidden address of an account, if the network has sent it. */
async function lidBehind(vault: Reading, phone: Jid): Promise<Jid | undefined> {
  const digits = (await vault.read(MAPPING, [digitsOf(phone)])).get(digitsOf(phone));
  return typeof digits === 'string' ? lidJid(digits) : undefined;
}

/** These addresses, and the other address of each account, as far as the network has sent it. */
export async function bothAddresses(vault: Reading, addresses: readonly Jid[]): Promise<Jid[]> {
  const nameOf = (jid: Jid): string => `${digitsOf(jid)}${isLid(jid) ? REVERSE : ''}`;
  const found = await vault.read(MAPPING, [...new Set(addresses.map(nameOf))]);
  const others = addresses.flatMap((jid) => {
    const digits = found.get(nameOf(jid));
    return typeof digits === 'string' ? [isLid(jid) ? phoneJid(digits) : lidJid(digits)] : [];
  });
  return [...new Set([...addresses, ...others])];
}

/** Accounts behind these addresses, without duplicates, by phone number where it is known. */
export async function peopleAt(vault: Reading, addresses: readonly string[]): Promise<Jid[]> {
  const jids = addresses.map(accountOf);
  const phones = await phonesBehind(vault, jids.filter(isLid));
  return [...new Set(jids.map((jid) => phones.get(jid) ?? jid))];
}

/**
 * The one name of the account behind either of its addresses: the number where it is known, unless the person
 * was named by the hidden address before. `other` is the second address, where the network has just sent it.
 */
export async function personAt(vault: Reading, address: string | undefined, other?: Jid): Promise<Jid> {
  const jid = accountOf(address);
  if (isLid(jid)) {
    if (await goesByLid(vault, jid)) return jid;
    return other ?? (await phoneBehind(vault, jid)) ?? jid;
  }
  if (!isPhone(jid)) return jid;
  const lid = other ?? (await lidBehind(vault, jid));
  return lid !== undefined && (await goesByLid(vault, lid)) ? lid : jid;
}

/** Like `personAt`, for the first event of a chat: the name is stored and stays, whatever becomes known later. */
export async function nameOfChat(vault: Keeping, address: Jid, other?: Jid): Promise<Jid> {
  const name = await personAt(vault, address, other);
  if (isLid(name) && !(await goesByLid(vault, name))) {
    await vault.commit({ puts: [{ kind: GOES_BY_LID, id: digitsOf(name), value: true }] });
  }
  return name;
}

async function goesByLid(vault: Reading, lid: Jid): Promise<boolean> {
  return (await vault.read(GOES_BY_LID, [digitsOf(lid)])).has(digitsOf(lid));
}

/** Usernames by the digits of the hidden address, and those digits by `@` and the username. */
const KIND = 'username';

const holderOf = (username: string): string => `@${username.toLowerCase()}`;

/** The username of an account, if the network has sent it. */
export async function usernameOf(vault: Pick<Vault, 'read'>, lid: Jid): Promise<string | undefined> {
  const username = (await vault.read(KIND, [digitsOf(lid)])).get(digitsOf(lid));
  return typeof username === 'string' ? username : undefined;
}

/** Stores the owner of a username and removes it from its former owner. */
export async function learnUsername(
  vault: Pick<Vault, 'read' | 'commit'>,
  lid: Jid,
  username: string,
): Promise<void> {
  const digits = digitsOf(lid);
  const found = await vault.read(KIND, [digits, holderOf(username)]);
  const [name, holder] = [found.get(digits), found.get(holderOf(username))];
  if (name === username && holder === digits) return;
  await vault.commit({
    puts: [
      { kind: KIND, id: digits, value: username },
      { kind: KIND, id: holderOf(username), value: digits },
    ],
    deletes: [
      ...(typeof holder === 'string' && holder !== digits ? [{ kind: KIND, id: holder }] : []),
      ...(typeof name === 'string' && holderOf(name) !== holderOf(username)
        ? [{ kind: KIND, id: holderOf(name) }]
        : []),
    ],
  });
}

/** Kinds of records that can connect the two addresses of a person. */
export const LINKING_KINDS: ReadonlySet<string> = new Set([MAPPING, GOES_BY_LID]);

/**
 * Finds people named by a hidden address whose number becomes known by a change. Every source of that knowledge
 * passes the vault; the event is committed in the same transaction, so it is published exactly once. Changes of
 * these kinds are serialized, so that neither half is missed.
 */
export async function linkedBy(
  { puts = [] }: Change,
  read: Vault['read'],
  clock: Pick<Clock, 'now'>,
): Promise<readonly ContactLinkedEvent[]> {
  const numbers = new Map(
    puts.flatMap(({ kind, id, value }) =>
      kind === MAPPING && id.endsWith(REVERSE) && typeof value === 'string'
        ? [[id.slice(0, -REVERSE.length), value] as const]
        : [],
    ),
  );
  const named = puts.filter(({ kind }) => kind === GOES_BY_LID).map(({ id }) => id);
  const lids = [...new Set([...numbers.keys(), ...named])];
  const [known, goBy] = await Promise.all([
    read(
      MAPPING,
      lids.map((lid) => `${lid}${REVERSE}`),
    ),
    read(GOES_BY_LID, lids),
  ]);
  const timestamp = Math.floor(clock.now() / 1_000);
  return lids.flatMap((lid) => {
    const before = known.get(`${lid}${REVERSE}`);
    const number = numbers.get(lid) ?? before;
    const isNews = goBy.has(lid) ? number !== before : named.includes(lid);
    if (typeof number !== 'string' || !isNews) return [];
    const [jid, hidden] = [phoneJid(number), lidJid(lid)];
    return [
      { kind: 'contact_linked', id: `contact_linked/${hidden}/${jid}`, timestamp, lid: hidden, jid } as const,
    ];
  });
}

/**
 * Numbers that their accounts do not have, by their digits, with the digits of the account: Brazilian numbers with
 * or without the ninth digit, Mexican ones with or without a 1, Argentinian ones with or without a 9. The network
 * finds the account under both, and delivers to its own number only.
 */
const SPELLING = 'spelling';

/** Own numbers of the accounts that are known to have another one than these. */
export async function accountsSpelled(vault: Reading, jids: readonly Jid[]): Promise<Map<Jid, Jid>> {
  const found = await vault.read(SPELLING, jids.map(digitsOf));
  return new Map(
    jids.flatMap((jid) => {
      const digits = found.get(digitsOf(jid));
      return typeof digits === 'string' ? [[jid, phoneJid(digits)] as const] : [];
    }),
  );
}

export async function accountSpelled(vault: Reading, jid: Jid): Promise<Jid | undefined> {
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
