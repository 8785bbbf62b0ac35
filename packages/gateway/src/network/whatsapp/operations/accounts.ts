import { extractDeviceJids, jidDecode, type WASocket } from 'baileys';
import { HOUR_MS, settled } from '#kernel';
import type { Jid } from '../../content.ts';
import type { LookUpResult } from '../../operations.ts';
import { digitsOf, isPhone, phoneJid } from '../convert/index.ts';
import { property } from '../errors.ts';
import {
  askedNumber,
  byNumber,
  CONTACT,
  DEVICES,
  devicesOf,
  type FoundUser,
  isRegisteredUser,
  LID,
  lidOf,
  phoneOf,
  queryUsers,
  VERIFIED_NAME,
  verifiedNameOf,
} from '../link/queries.ts';
import { accountSpelled, forgetSpelling, learnSpellings, personAt } from '../receive/people.ts';
import type { SessionContext } from '../session-context.ts';

/**
 * Number checks of one session. Its vault keeps their answers, and for longer the accounts of numbers in another
 * spelling.
 */
export interface Accounts {
  /** The account's own number; undefined when the network does not know this one in any spelling. */
  find(sock: WASocket, jid: Jid): Promise<Jid | undefined>;
  /** The canonical address of a chat. */
  chatOf(jid: Jid): Promise<Jid>;
  /** The next `find` asks the network, after the account could not be reached. */
  forget(jid: Jid): Promise<void>;
  /** Answers what the network said recently, and asks it about the other numbers. */
  lookUp(sock: WASocket, numbers: readonly string[]): Promise<readonly LookUpResult[]>;
}

/** The check also notices that a number has a new owner. */
const KNOWN_FOR_MS = 24 * HOUR_MS;
/** A number may be registered at any time. */
const UNKNOWN_FOR_MS = HOUR_MS / 12;

/** Record of the checks of many numbers, so that a session keeps a bounded number of them without counting. */
const CHECKS = 'number-checks';
const RECORDS = 509;
const CHECKS_PER_RECORD = 20;
/** Most checks that one session keeps. */
export const MOST_CHECKS = RECORDS * CHECKS_PER_RECORD;

interface Check extends LookUpResult {
  /** Epoch ms. */
  readonly until: number;
}

export function createAccounts(context: Pick<SessionContext, 'vault' | 'clock' | 'me'>): Accounts {
  let writing: Promise<unknown> = Promise.resolve();

  async function recentChecks(numbers: readonly string[]): Promise<Map<string, LookUpResult>> {
    const records = await context.vault().read(CHECKS, [...new Set(numbers.map(recordOf))]);
    const now = context.clock.now();
    const recent = [...records.values()].flatMap(checksIn).filter(({ until }) => until > now);
    return new Map(recent.map(({ until: _, ...result }) => [result.number, result]));
  }

  /** Replaces the checks of these numbers, one change of the records after the other. */
  function replaceChecks(numbers: readonly string[], checks: readonly Check[]): Promise<void> {
    const done = writing.then(async () => {
      const replaced = new Set(numbers);
      const news = Map.groupBy(checks, ({ number }) => recordOf(number));
      const ids = [...new Set(numbers.map(recordOf))];
      const records = await context.vault().read(CHECKS, ids);
      const now = context.clock.now();
      const puts = ids.map((id) => {
        const kept = checksIn(records.get(id)).filter(
          ({ number, until }) => until > now && !replaced.has(number),
        );
        const value = [...kept, ...(news.get(id) ?? [])].slice(-CHECKS_PER_RECORD);
        return { kind: CHECKS, id, value };
      });
      await context.vault().commit({ puts });
    });
    writing = settled(done);
    return done;
  }

  /** Asks for account, hidden address and devices at once: mostly a message is next. */
  async function ask(sock: WASocket, numbers: readonly string[]): Promise<Map<string, LookUpResult>> {
    const found = await queryUsers(sock, [CONTACT, VERIFIED_NAME, LID, DEVICES], numbers.map(byNumber));
    await learnLids(sock, found);
    const answered = new Map(found.map((user) => [numberOf(user), user]));
    // A number that the network omits may be in the next answer.
    const checks = numbers.flatMap((number) => {
      const user = answered.get(number);
      return user ? checkOf(user, number, context.clock.now()) : [];
    });
    await replaceChecks(
      checks.map(({ number }) => number),
      checks,
    );
    // Known devices of an account that is not registered would let a message to it leave.
    await learnDevices(sock, found.filter(isRegisteredUser));
    return new Map(checks.map(({ until: _, ...result }) => [result.number, result]));
  }

  /** The library asks for the devices of these people no more, until its own list is stale. */
  async function learnDevices(sock: WASocket, found: readonly FoundUser[]): Promise<void> {
    const { id, lid } = context.me();
    for (const user of found) {
      const address = lidOf(user) ?? phoneOf(user);
      const devices = devicesOf(user) ?? [];
      // The network may list the devices under the hidden address only.
      if (address === undefined || devices.length === 0) continue;
      const deviceList = devices.map(({ attrs }) => ({
        ...{ id: Number(attrs.id), keyIndex: Number(attrs['key-index']) },
        isHosted: attrs.is_hosted === 'true',
      }));
      const result = [{ id: address, devices: { deviceList } }];
      const known = extractDeviceJids(result, id, jidDecode(lid)?.user ?? '', false);
      if (known.length > 0) await sock.userDevicesCache.set(digitsOf(address), known);
    }
  }

  return {
    async find(sock, jid) {
      const number = digitsOf(jid);
      const check = (await recentChecks([number])).get(number);
      if (check?.jid !== undefined) return check.jid;
      const spelled = await accountSpelled(context.vault(), jid);
      if (spelled !== undefined || check) return spelled;
      const account = (await ask(sock, [number])).get(number)?.jid;
      if (account !== undefined) await learnSpellings(context.vault(), [[jid, account]]);
      return account;
    },
    async chatOf(jid) {
      const vault = context.vault();
      return personAt(vault, (isPhone(jid) && (await accountSpelled(vault, jid))) || jid);
    },
    async forget(jid) {
      // A failed commit ends the session with its own error.
      await settled(Promise.all([replaceChecks([digitsOf(jid)], []), forgetSpelling(context.vault(), jid)]));
    },
    async lookUp(sock, wanted) {
      const recent = await recentChecks(wanted);
      const others = [...new Set(wanted.filter((number) => !recent.has(number)))];
      const asked = others.length === 0 ? undefined : await ask(sock, others);
      const results = wanted.map((number) => recent.get(number) ?? asked?.get(number) ?? { number });
      await learnSpellings(
        context.vault(),
        results.flatMap(({ number, jid }) => (jid === undefined ? [] : [[phoneJid(number), jid] as const])),
      );
      return results;
    },
  };
}

/** A number that was looked up mostly gets a message next, which goes to its hidden address. */
async function learnLids(sock: WASocket, found: readonly FoundUser[]): Promise<void> {
  const pairs = found.flatMap((user) => {
    const [pn, lid] = [phoneOf(user), lidOf(user)];
    return pn !== undefined && lid !== undefined ? { lid, pn } : [];
  });
  await sock.signalRepository.lidMapping.storeLIDPNMappings(pairs);
}

function checkOf(user: FoundUser, number: string, now: number): Check {
  if (!isRegisteredUser(user)) return { number, until: now + UNKNOWN_FOR_MS };
  const verifiedName = verifiedNameOf(user);
  const jid = phoneOf(user) ?? phoneJid(number);
  return { number, jid, ...(verifiedName ? { verifiedName } : {}), until: now + KNOWN_FOR_MS };
}

function numberOf(user: FoundUser): string {
  return askedNumber(user) ?? digitsOf(phoneOf(user) ?? user.jid);
}

/** Numbers of one list often differ in their last digits alone, which the remainder spreads. */
function recordOf(number: string): string {
  return String(Number(number.slice(-9)) % RECORDS);
}

function checksIn(record: unknown): Check[] {
  return Array.isArray(record) ? record.filter(isCheck) : [];
}

function isCheck(value: unknown): value is Check {
  return typeof property(value, 'number') === 'string' && typeof property(value, 'until') === 'number';
}
