import type { WASocket } from 'baileys';
import { neverRejects, warnOf } from '#kernel';
import { accountOf, digitsOf, isLid, isPhone } from '../convert/index.ts';
import type { Vault } from '../vault/index.ts';
import { MAPPING, REVERSE } from './people.ts';

/** People per transaction. */
const AT_ONCE = 500;

export interface Mapping {
  readonly pn: string;
  readonly lid: string;
}

/**
 * Stores which number belongs to which hidden address. The library would keep every mapping in memory from then
 * on, so it gets only those that changed, to update what it holds.
 */
export async function learnMappings(
  vault: Pick<Vault, 'read' | 'commit'>,
  sock: () => WASocket,
  batch: readonly Mapping[],
): Promise<void> {
  const pairs = new Map(
    batch
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
 * Replaces the library's handler of mappings, which makes a transaction for each and keeps all of them in
 * memory; an address book brings thousands at once.
 */
export function createMappings(vault: () => Pick<Vault, 'read' | 'commit'>): {
  attach(sock: WASocket): void;
} {
  return {
    attach(sock) {
      let waiting: Mapping[] = [];
      let isWriting = false;

      async function write(): Promise<void> {
        // One tick later, so that mappings of one tick are one write.
        await Promise.resolve();
        while (waiting.length > 0) {
          const batch = waiting.slice(0, AT_ONCE);
          waiting = waiting.slice(AT_ONCE);
          await learnMappings(vault(), () => sock, batch);
        }
      }

      async function writeAll(): Promise<void> {
        if (isWriting) return;
        isWriting = true;
        // A broken vault has closed the socket.
        await write().catch(warnOf('addresses of contacts could not be stored'));
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
