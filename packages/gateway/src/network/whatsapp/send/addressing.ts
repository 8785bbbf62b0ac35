import { type BinaryNode, getAllBinaryNodeChildren, getBinaryNodeChildren, type WASocket } from 'baileys';
import type { Clock } from '#kernel';
import type { Jid } from '../../content.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { accountOf, digitsOf, isLid, isPhone, lidJid } from '../convert/index.ts';
import { unlessCutOff } from '../errors.ts';
import { byJid, LID, lidOf, queryUsers } from '../link/queries.ts';
import { MAPPING } from '../receive/people.ts';
import type { Vault } from '../vault/index.ts';
import { forgetDevices } from './devices.ts';

/**
 * People have two addresses: the number, and one that hides it (LID). The network wants direct messages, typing and the audience of
 * stories under the second: to a number whose owner has not written first it refuses them. Callers name people by the number, so it is
 * turned into the other address here, where the network has one, and nowhere else.
 */
export interface Addressing {
  /** Listens for people whose devices or address have changed. */
  attach(sock: WASocket): void;
  /** Where the network wants this chat to be addressed; what is no number stays as it is. */
  of(sock: WASocket, jid: Jid): Promise<Jid>;
  ofAll(sock: WASocket, jids: readonly Jid[]): Promise<readonly Jid[]>;
  /** The same, asked of the network anew: what was known has led nowhere. */
  refresh(sock: WASocket, jid: Jid): Promise<Jid>;
}

interface AddressingParts {
  vault(): Pick<Vault, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
}

export type CreateAddressing = (parts: AddressingParts) => Addressing;

/** People in one question or look-up. */
const AT_ONCE = 200;
/** Whoever has no such address may be given one. */
const WITHOUT_FOR_MS = 3_600_000;
const MOST_WITHOUT = 10_000;

export const createAddressing: CreateAddressing = ({ vault, clock }) => {
  /** Until when there is no need to ask for somebody again. */
  const without = createBoundedCache<number>({ limit: MOST_WITHOUT });

  async function known(jids: readonly Jid[]): Promise<Map<Jid, Jid>> {
    const found = await vault().read(MAPPING, jids.map(digitsOf));
    return new Map(
      jids.flatMap((jid) => {
        const digits = found.get(digitsOf(jid));
        return typeof digits === 'string' ? [[jid, lidJid(digits)] as const] : [];
      }),
    );
  }

  async function ask(sock: WASocket, jids: readonly Jid[]): Promise<Map<Jid, Jid>> {
    const users = await queryUsers(sock, [LID], jids.map(byJid));
    const found = new Map(
      users.flatMap((user) => {
        const lid = accountOf(lidOf(user));
        return isLid(lid) ? [[accountOf(user.jid), lid] as const] : [];
      }),
    );
    await sock.signalRepository.lidMapping.storeLIDPNMappings([...found].map(([pn, lid]) => ({ pn, lid })));
    for (const jid of jids) if (!found.has(jid)) without.set(jid, clock.now() + WITHOUT_FOR_MS);
    return found;
  }

  async function resolved(sock: WASocket, jids: readonly Jid[]): Promise<Map<Jid, Jid>> {
    const lids = await known(jids);
    const open = jids.filter((jid) => !lids.has(jid) && (without.get(jid) ?? 0) <= clock.now());
    return open.length === 0 ? lids : new Map([...lids, ...(await ask(sock, open))]);
  }

  async function ofAll(sock: WASocket, jids: readonly Jid[]): Promise<readonly Jid[]> {
    const numbers = [...new Set(jids.filter(isPhone))];
    const lids = new Map<Jid, Jid>();
    for (let from = 0; from < numbers.length; from += AT_ONCE) {
      for (const [jid, lid] of await resolved(sock, numbers.slice(from, from + AT_ONCE))) lids.set(jid, lid);
    }
    return jids.map((jid) => lids.get(jid) ?? jid);
  }

  async function hear(sock: WASocket, node: BinaryNode): Promise<void> {
    const { from, lid } = node.attrs;
    const devices = getAllBinaryNodeChildren(node).flatMap((change) =>
      getBinaryNodeChildren(change, 'device'),
    );
    for (const { attrs } of [node, ...devices]) {
      for (const address of [attrs.from, attrs.jid, attrs.lid]) if (address) forgetDevices(sock, address);
    }
    const pn = accountOf(from);
    if (isPhone(pn)) forgetDevices(sock, (await known([pn])).get(pn) ?? pn);
    if (isPhone(pn) && lid) {
      await sock.signalRepository.lidMapping.storeLIDPNMappings([{ pn, lid: accountOf(lid) }]);
    }
  }

  return {
    attach(sock) {
      // The library changes its list of somebody's devices under one of their two addresses only.
      sock.ws.on('CB:notification,type:devices', (node: BinaryNode) => {
        hear(sock, node).catch(unlessCutOff('the devices of somebody could not be noted'));
      });
    },
    async of(sock, jid) {
      if (!isPhone(jid)) return jid;
      return (await resolved(sock, [jid])).get(jid) ?? jid;
    },
    ofAll,
    async refresh(sock, jid) {
      if (!isPhone(jid)) return jid;
      return (await ask(sock, [jid])).get(jid) ?? jid;
    },
  };
};
