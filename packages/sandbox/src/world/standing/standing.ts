import type { MailboxWriter } from '../devices/mailbox.ts';
import { type ChatRegister, directKey } from '../messages/chats.ts';
import { type PhoneStore, personOf } from '../people/phones.ts';
import { type PhoneNumber, WorldError } from '../types.ts';
import type { Vault } from '../world.ts';
import type { WorldContext } from '../world-context.ts';
import { createRateLimits } from './rate-limits.ts';
import type { CapStatus, NewChatCap, ReachoutLock, Standing, StandingRules } from './types.ts';

export interface StandingStore extends Standing {
  /** A linked device wrote to a person with whom its owner had no chat. */
  startedChat(phone: PhoneNumber, person: PhoneNumber): void;
}

interface StandingNeeds {
  context: WorldContext;
  phones: PhoneStore;
  chats: Pick<ChatRegister, 'wasOpened'>;
  mailboxes: MailboxWriter;
  vault: Vault;
}

interface CapRow {
  quota: number | null;
  used: number;
  cycle_ms: number;
  started_at: number;
}

const DAY_MS = 86_400_000;
const NO_NEW_CHATS = 463;
const NEW_CHATS_CAPPED = 475;
const BY_THE_NETWORK = 'RESTRICT_ALL_COMPANIONS';
/** Shares of the quota at which the network warns. */
const FIRST_WARNING = 0.8;
const SECOND_WARNING = 0.9;
const RULES = { scope: 'standing', key: 'rules' };
/** Rules of a new network; tests set others. */
export const rulesAtFirst: StandingRules = {
  restrictAfterNewChatsPerDay: 0,
  restrictForSeconds: DAY_MS / 1_000,
  hideDevicesOfNumbers: false,
  fewKeys: false,
  brokenMediaHosts: 0,
};

export function createStanding({ context, phones, chats, mailboxes, vault }: StandingNeeds): StandingStore {
  const { db, clock } = context;
  const limits = createRateLimits(context);

  const lockOf = (phone: PhoneNumber): ReachoutLock | undefined => {
    const row = db.get<{ type: string | null; until: number | null }>(
      'SELECT restriction_type AS type, restricted_until AS until FROM phones WHERE phone = ?',
      phone,
    );
    if (!row?.type || row.until === null || row.until <= clock.now()) return undefined;
    return { type: row.type, endsAt: row.until };
  };

  /** The current cycle: after its end the whole quota is available again. */
  const capOf = (phone: PhoneNumber): NewChatCap | undefined => {
    const row = db.get<CapRow>(
      `SELECT cap_quota AS quota, cap_used AS used, cap_cycle_ms AS cycle_ms, cap_started_at AS started_at
       FROM phones WHERE phone = ?`,
      phone,
    );
    if (!row || row.quota === null) return undefined;
    const { quota, cycle_ms } = row;
    const cycles = Math.floor((clock.now() - row.started_at) / cycle_ms);
    const used = cycles > 0 ? 0 : row.used;
    const cycleStartedAt = row.started_at + cycles * cycle_ms;
    return {
      quota,
      used,
      cycleStartedAt,
      cycleEndsAt: cycleStartedAt + cycle_ms,
      status: statusOf(used, quota),
    };
  };

  const notifyLock = (phone: PhoneNumber): void => {
    mailboxes.notify(phone, { kind: 'reachout_lock', lock: lockOf(phone), at: clock.now() });
  };

  const notifyCap = (phone: PhoneNumber): void => {
    const cap = capOf(phone);
    if (cap) mailboxes.notify(phone, { kind: 'new_chat_cap', cap, at: clock.now() });
  };

  const restrict: Standing['restrict'] = (phone, { type, seconds }) =>
    context.act(() => {
      phones.get(phone);
      const until = seconds > 0 ? clock.now() + seconds * 1_000 : null;
      db.run(
        'UPDATE phones SET restriction_type = ?, restricted_until = ? WHERE phone = ?',
        until === null ? null : type,
        until,
        phone,
      );
      notifyLock(phone);
    });

  const useCap = (phone: PhoneNumber): void => {
    const before = capOf(phone);
    if (!before) return;
    db.run(
      'UPDATE phones SET cap_used = ?, cap_started_at = ? WHERE phone = ?',
      before.used + 1,
      before.cycleStartedAt,
      phone,
    );
    if (capOf(phone)?.status !== before.status) notifyCap(phone);
  };

  const kept = vault.read(RULES.scope, RULES.key);
  let rules: StandingRules = { ...rulesAtFirst, ...(kept && JSON.parse(Buffer.from(kept).toString())) };

  const judge = (phone: PhoneNumber): void => {
    const { restrictAfterNewChatsPerDay: most, restrictForSeconds: seconds } = rules;
    if (most === 0 || lockOf(phone)) return;
    const begun =
      db.get<{ n: number }>(
        'SELECT count(*) AS n FROM new_chats WHERE phone = ? AND at > ?',
        phone,
        clock.now() - DAY_MS,
      )?.n ?? 0;
    if (begun > most) restrict(phone, { type: BY_THE_NETWORK, seconds });
  };

  const count = (sql: string, phone: PhoneNumber): number => db.get<{ n: number }>(sql, phone)?.n ?? 0;

  return {
    ...limits,
    lockOf,
    capOf,
    restrict,
    limit(phone, kind, seconds) {
      phones.get(phone);
      limits.limit(phone, kind, seconds);
    },
    cap(phone, { quota, used, cycleSeconds }) {
      context.act(() => {
        phones.get(phone);
        db.run(
          'UPDATE phones SET cap_quota = ?, cap_used = ?, cap_cycle_ms = ?, cap_started_at = ? WHERE phone = ?',
          quota,
          used,
          cycleSeconds * 1_000,
          clock.now(),
          phone,
        );
        notifyCap(phone);
      });
    },
    report(by, who) {
      context.act(() => {
        phones.get(by);
        const { phone } = personOf(phones.require(who));
        if (phone === by) throw new WorldError('bad_request', 'reporting oneself is not possible');
        db.run(
          'INSERT OR IGNORE INTO reports (phone, reporter, at) VALUES (?, ?, ?)',
          phone,
          by,
          clock.now(),
        );
      });
    },
    complaintsAbout: (phone) => ({
      blockedBy: count('SELECT count(*) AS n FROM blocks WHERE phone = ?', phone),
      reportedBy: count('SELECT count(*) AS n FROM reports WHERE phone = ?', phone),
    }),
    refusesMessage(sender, to) {
      const recipient = phones.find(to)?.phone;
      if (recipient === undefined || recipient === sender.phone) return undefined;
      if (chats.wasOpened(directKey(sender.phone, recipient))) return undefined;
      if (lockOf(sender.phone)) return NO_NEW_CHATS;
      return capOf(sender.phone)?.status === 'CAPPED' ? NEW_CHATS_CAPPED : undefined;
    },
    startedChat(phone, person) {
      if (phone === person) return;
      db.run(
        'INSERT OR IGNORE INTO new_chats (phone, person, at) VALUES (?, ?, ?)',
        phone,
        person,
        clock.now(),
      );
      useCap(phone);
      judge(phone);
    },
    rules: () => rules,
    setRules(next) {
      vault.write(RULES.scope, RULES.key, Buffer.from(JSON.stringify(next)));
      rules = next;
    },
  };
}

function statusOf(used: number, quota: number): CapStatus {
  if (used >= quota) return 'CAPPED';
  if (used >= quota * SECOND_WARNING) return 'SECOND_WARNING';
  return used >= quota * FIRST_WARNING ? 'FIRST_WARNING' : 'NONE';
}
