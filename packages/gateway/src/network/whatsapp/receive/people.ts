import type { Jid } from '../../content.ts';
import { accountOf, digitsOf, isLid, isPhone, lidJid, phoneJid } from '../convert/index.ts';
import type { Vault } from '../vault/index.ts';

type Reading = Pick<Vault, 'read'>;
type Keeping = Pick<Vault, 'read' | 'commit'>;

/** The library's own records of which number goes with which hidden address: `number` → `lid` and `lid_reverse` → `number`, by their digits. */
export const MAPPING = 'lid-mapping';
export const REVERSE = '_reverse';
/** Those whose chat was told by the address that hides the number, by its digits: they go by it for good. */
export const GOES_BY_LID = 'goes-by-lid';

/** The phone number of an account that is known by its other address, if the network has told it. */
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

/** The address that hides the number of an account, if the network has told it. */
async function lidBehind(vault: Reading, phone: Jid): Promise<Jid | undefined> {
  const digits = (await vault.read(MAPPING, [digitsOf(phone)])).get(digitsOf(phone));
  return typeof digits === 'string' ? lidJid(digits) : undefined;
}

/** The accounts behind addresses, each once, by their numbers where those are known. */
export async function peopleAt(vault: Reading, addresses: readonly string[]): Promise<Jid[]> {
  const jids = addresses.map(accountOf);
  const phones = await phonesBehind(vault, jids.filter(isLid));
  return [...new Set(jids.map((jid) => phones.get(jid) ?? jid))];
}

/**
 * The one name of the account behind an address, whichever of its two addresses that is: the number where it is known, unless the person
 * went by the other one before. `other` is the second address, where the network has just told it.
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

/** The same, for what begins a chat: from now on the person goes by that name, whatever becomes known later. */
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
