import type { WASocket } from 'baileys';
import { buildMergedTcTokenIndexWrite } from 'baileys/lib/Utils/tc-token-utils.js';
import type { Jid } from '../../content.ts';
import { accountOf, digitsOf, isLid, isPhone, lidJid } from '../convert/index.ts';
import { property } from '../errors.ts';
import type { Vault } from '../vault/index.ts';
import type { HistoryToken } from './facts.ts';

/** The library's own records of which number goes with which hidden address, and of signs of trust. */
const MAPPING = 'lid-mapping';
const TOKEN = 'tctoken';

export interface Mapping {
  readonly pn: string;
  readonly lid: string;
}

/**
 * Keeps which numbers go with which hidden addresses. The library would do so too, and would hold every one of them in memory from then
 * on; it is left to it only where somebody's address has changed, so that what it holds of them does.
 */
export async function learnMappings(
  vault: Pick<Vault, 'read' | 'commit'>,
  sock: () => WASocket,
  told: readonly Mapping[],
): Promise<void> {
  const pairs = new Map(
    told
      .map(({ pn, lid }) => [accountOf(pn), accountOf(lid)] as const)
      .filter(([pn, lid]) => isPhone(pn) && isLid(lid)),
  );
  const known = await vault.read(MAPPING, [...pairs.keys()].map(digitsOf));
  const news = [...pairs].filter(([pn, lid]) => known.get(digitsOf(pn)) !== digitsOf(lid));
  const changed = news.filter(([pn]) => known.has(digitsOf(pn)));
  if (changed.length > 0) {
    await sock().signalRepository.lidMapping.storeLIDPNMappings(changed.map(([pn, lid]) => ({ pn, lid })));
  }
  const puts = news
    .filter(([pn]) => !known.has(digitsOf(pn)))
    .flatMap(([pn, lid]) => [
      { kind: MAPPING, id: digitsOf(pn), value: digitsOf(lid) },
      { kind: MAPPING, id: `${digitsOf(lid)}_reverse`, value: digitsOf(pn) },
    ]);
  if (puts.length > 0) await vault.commit({ puts });
}

/** Keeps signs of trust as the library does: under the hidden address where there is one, the newest, and in its list of all of them. */
export async function learnTokens(
  vault: Pick<Vault, 'read' | 'commit'>,
  sock: () => WASocket,
  told: readonly HistoryToken[],
): Promise<void> {
  const lids = await vault.read(
    MAPPING,
    told.map(({ from }) => digitsOf(accountOf(from))),
  );
  const addressOf = (from: string): Jid => {
    const jid = accountOf(from);
    const digits = isPhone(jid) ? lids.get(digitsOf(jid)) : undefined;
    return typeof digits === 'string' ? lidJid(digits) : jid;
  };
  const newest = new Map<Jid, HistoryToken>();
  for (const one of told) {
    const address = addressOf(one.from);
    if (address !== '' && (newest.get(address)?.at ?? 0) < one.at) newest.set(address, one);
  }
  const known = await vault.read(TOKEN, [...newest.keys()]);
  const puts = [...newest].flatMap(([id, { token, at, givenAt }]) => {
    const before = known.get(id);
    if (Number(property(before, 'timestamp') ?? 0) >= at) return [];
    const value = {
      ...(typeof before === 'object' ? before : {}),
      token: Buffer.from(token),
      timestamp: String(at),
      ...(givenAt === undefined ? {} : { senderTimestamp: givenAt }),
    };
    return [{ kind: TOKEN, id, value }];
  });
  if (puts.length === 0) return;
  const index = await buildMergedTcTokenIndexWrite(
    sock().authState.keys,
    puts.map(({ id }) => id),
  );
  const list = Object.entries(index).map(([id, value]) => ({ kind: TOKEN, id, value }));
  await vault.commit({ puts: [...puts, ...list] });
}
