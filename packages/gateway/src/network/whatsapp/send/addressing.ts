import { type BinaryNode, getAllBinaryNodeChildren, getBinaryNodeChildren, type WASocket } from 'baileys';
import { type Clock, HOUR_MS } from '#kernel';
import type { Jid } from '../../content.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { accountOf, digitsOf, isPhone, lidJid } from '../convert/index.ts';
import { unlessCutOff } from '../errors.ts';
import { byJid, LID, lidOf, phoneOf, queryUsers } from '../link/queries.ts';
import { accountsSpelled, MAPPING } from '../receive/people.ts';
import type { Vault } from '../vault/index.ts';
import { forgetDevices } from './devices.ts';

/**
 * Converts phone numbers to hidden addresses (LID). People have both, and the network requires the hidden one
 * for direct messages, typing and the audience of stories: it refuses them to a number whose owner has not
 * written first. Callers use the phone number; the conversion happens here and nowhere else.
 */
export interface Addressing {
  /** Listens for changes of people's devices and addresses. */
  attach(sock: WASocket): void;
  /** Address that the network requires for this chat; a chat that is no phone number stays unchanged. */
  of(sock: WASocket, jid: Jid): Promise<Jid>;
  ofAll(sock: WASocket, jids: readonly Jid[]): Promise<readonly Jid[]>;
  /** The same with a new query, after the known address has failed. */
  refresh(sock: WASocket, jid: Jid): Promise<Jid>;
}

interface AddressingParts {
  vault(): Pick<Vault, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
}

export type CreateAddressing = (parts: AddressingParts) => Addressing;

/** People per query. */
const AT_ONCE = 200;
/** A person without a hidden address may get one. */
const WITHOUT_FOR_MS = HOUR_MS;
const MOST_WITHOUT = 10_000;

export const createAddressing: CreateAddressing = ({ vault, clock }) => {
  /** Until when a person needs no new query. */
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
        const [pn, lid] = [phoneOf(user), lidOf(user)];
        return pn !== undefined && lid !== undefined ? [[pn, lid] as const] : [];
      }),
    );
    await sock.signalRepository.lidMapping.storeLIDPNMappings([...found].map(([pn, lid]) => ({ pn, lid })));
    for (const jid of jids) if (!found.has(jid)) without.set(jid, clock.now() + WITHOUT_FOR_MS);
    return found;
  }

  async function resolved(sock: WASocket, jids: readonly Jid[]): Promise<Map<Jid, Jid>> {
    const lids = await known(jids);
    const rest = jids.filter((jid) => !lids.has(jid));
    return rest.length === 0 ? lids : new Map([...lids, ...(await resolvedAccounts(sock, rest))]);
  }

  /** The same for numbers without a known hidden address, which may be another spelling of one that has it. */
  async function resolvedAccounts(sock: WASocket, jids: readonly Jid[]): Promise<Map<Jid, Jid>> {
    const spelled = await accountsSpelled(vault(), jids);
    const lids = spelled.size === 0 ? new Map<Jid, Jid>() : await known([...spelled.values()]);
    const accounts = [...new Set(jids.map((jid) => spelled.get(jid) ?? jid))];
    const open = accounts.filter((jid) => !lids.has(jid) && (without.get(jid) ?? 0) <= clock.now());
    const asked = open.length === 0 ? [] : await ask(sock, open);
    const found = new Map([...lids, ...asked]);
    return new Map(
      jids.flatMap((jid) => {
        const account = spelled.get(jid) ?? jid;
        const address = found.get(account) ?? spelled.get(jid);
        return address === undefined ? [] : [[jid, address] as const];
      }),
    );
  }

  async function ofAll(sock: WASocket, jids: readonly Jid[]): Promise<readonly Jid[]> {
    const numbers = [...new Set(jids.filter(isPhone))];
    const lids = new Map<Jid, Jid>();
    for (let from = 0; from < numbers.length; from += AT_ONCE) {
      for (const [jid, lid] of await resolved(sock, numbers.slice(from, from + AT_ONCE))) lids.set(jid, lid);
    }
    return jids.map((jid) => lids.get(jid) ?? jid);
  }

  async function handleDeviceChange(sock: WASocket, node: BinaryNode): Promise<void> {
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
      // The library updates its list of a person's devices under only one of their two addresses.
      sock.ws.on('CB:notification,type:devices', (node: BinaryNode) => {
        handleDeviceChange(sock, node).catch(
          unlessCutOff('a change of a contact’s devices could not be processed'),
        );
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
