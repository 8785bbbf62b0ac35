import type { WASocket } from 'baileys';
import { neverRejects, warnOf } from '#kernel';
import { accountOf, digitsOf, isLid, isPhone } from '../convert/index.ts';
import type { Vault } from '../vault/index.ts';
import { MAPPING, REVERSE } from './people.ts';

/** People in one transaction. */
const AT_ONCE = 500;

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
      { kind: MAPPING, id: `${digitsOf(lid)}${REVERSE}`, value: digitsOf(pn) },
    ]);
  if (puts.length > 0) await vault.commit({ puts });
}

/**
 * Hears of numbers and their hidden addresses in place of the library, which makes a transaction for each and keeps every one of them in
 * memory: of an address book with thousands of people, thousands at once.
 */
export function createMappings(vault: () => Pick<Vault, 'read' | 'commit'>): {
  attach(sock: WASocket): void;
} {
  return {
    attach(sock) {
      let waiting: Mapping[] = [];
      let isWriting = false;

      async function write(): Promise<void> {
        // A tick later, so that what is told in one go is written in one.
        await Promise.resolve();
        while (waiting.length > 0) {
          const told = waiting.slice(0, AT_ONCE);
          waiting = waiting.slice(AT_ONCE);
          await learnMappings(vault(), () => sock, told);
        }
      }

      async function writeAll(): Promise<void> {
        if (isWriting) return;
        isWriting = true;
        // A broken vault has closed the socket.
        await write().catch(warnOf('addresses of contacts were not kept'));
        isWriting = false;
      }

      sock.ev.removeAllListeners('lid-mapping.update');
      sock.ev.on('lid-mapping.update', ({ pn, lid }) => {
        waiting.push({ pn, lid });
        neverRejects(writeAll());
      });
    },
  };
}
