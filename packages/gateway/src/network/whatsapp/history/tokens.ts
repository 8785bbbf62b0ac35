import type { WASocket } from 'baileys';
import { buildMergedTcTokenIndexWrite } from 'baileys/lib/Utils/tc-token-utils.js';
import type { Jid } from '../../content.ts';
import { accountOf, digitsOf, isPhone, lidJid } from '../convert/index.ts';
import { property } from '../errors.ts';
import { MAPPING } from '../receive/people.ts';
import type { Vault } from '../vault/index.ts';
import type { HistoryToken } from './facts.ts';

/** The library's own records of signs of trust. */
const TOKEN = 'tctoken';

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
