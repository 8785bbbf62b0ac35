import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys';
import { DAY_MS, parsedJson, type Timer } from '#kernel';
import type { NumberHealthChange, OpenRequest } from '../../port.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { property } from '../errors.ts';
import { HEALTH_QUERIES, runQuery, textOf } from '../link/queries.ts';
import { ask, type SessionContext } from '../session-context.ts';

/** Health of the number with the network, from notifications and from queries. */
export interface NumberHealthWatch {
  attach(sock: WASocket): void;
  /** Called when the connection opens. */
  resume(): void;
  /** Called when the network refused a message to a recipient. */
  refused(): void;
  /** Called when a message could not be decrypted. */
  unreadable(messageId: string): void;
  report(news: NumberHealthChange): void;
  stop(): void;
}

/** Jitter, so that numbers that connected together do not query together. */
const SPREAD = 0.1;
const AFTER_REFUSAL_MS = 60_000;
const MOST_UNREADABLE = 1_000;
const CAP = 'INDIVIDUAL_NEW_CHAT_THREAD';

export function createNumberHealthWatch(
  context: SessionContext,
  onStanding: OpenRequest['onStanding'],
): NumberHealthWatch {
  const { clock, random, log, linkId } = context;
  const unreadable = createBoundedCache<true>({ limit: MOST_UNREADABLE });
  let daily: Timer | undefined;
  let mayAskAfterRefusalAt = Number.NEGATIVE_INFINITY;
  let stopped = false;

  function report(news: NumberHealthChange): void {
    if (!stopped) onStanding(news);
  }

  async function askLock(sock: WASocket): Promise<void> {
    const lock = readLock(await runQuery(sock, HEALTH_QUERIES.lock, {}), clock.now());
    if (lock) report(lock);
  }

  async function askCap(sock: WASocket): Promise<void> {
    const cap = readCap(await runQuery(sock, HEALTH_QUERIES.cap, { input: { type: CAP } }));
    if (cap) report(cap);
  }

  /** In the background: a failed query is repeated the next day or with the next connection. */
  function askAll(): void {
    if (stopped) return;
    daily?.cancel();
    daily = clock.after(DAY_MS * (1 + SPREAD * random.fraction()), askAll);
    for (const question of [askLock, askCap]) {
      ask(context, question).catch((error: unknown) =>
        log.debug({ linkId, error: String(error) }, 'the health of a number could not be queried'),
      );
    }
  }

  return {
    attach(sock) {
      sock.ws.on('CB:notification,type:mex', (node: BinaryNode) => {
        const news = readNotification(node, clock.now());
        if (news) report(news);
      });
    },
    resume: askAll,
    refused() {
      if (clock.monotonic() < mayAskAfterRefusalAt) return;
      mayAskAfterRefusalAt = clock.monotonic() + AFTER_REFUSAL_MS;
      askAll();
    },
    unreadable(messageId) {
      if (unreadable.get(messageId)) return;
      unreadable.set(messageId, true);
      report({ kind: 'undecryptable' });
    },
    report,
    stop() {
      stopped = true;
      daily?.cancel();
    },
  };
}

/**
 * What the network reports about an account, from its raw stanzas. The library passes on only those types of
 * restriction that it knows, and reports the others as none.
 */

type Lock = Extract<NumberHealthChange, { kind: 'reachout_lock' }>;
type Cap = Extract<NumberHealthChange, { kind: 'new_chat_cap' }>;

/** Duration of a restriction without an end, as in the web client. */
const WITHOUT_END_MS = 60_000;
const LONGEST_TYPE = 64;

const WARNINGS: Readonly<Record<string, Cap['warning']>> = {
  NONE: 'none',
  FIRST_WARNING: 'first',
  SECOND_WARNING: 'second',
  CAPPED: 'capped',
};

export function readLock(said: unknown, now: number): Lock | undefined {
  const active = property(said, 'is_active');
  if (typeof active !== 'boolean') return undefined;
  if (!active) return { kind: 'reachout_lock', active };
  const type = property(said, 'enforcement_type');
  return {
    kind: 'reachout_lock',
    active,
    ...(typeof type === 'string' && type !== '' ? { type: type.slice(0, LONGEST_TYPE) } : {}),
    endsAt: timeOf(property(said, 'time_enforcement_ends')) ?? now + WITHOUT_END_MS,
  };
}

/** Undefined for an account that has no cap. */
export function readCap(said: unknown): Cap | undefined {
  const quota = countOf(property(said, 'total_quota'));
  const used = countOf(property(said, 'used_quota'));
  if (quota === undefined || used === undefined) return undefined;
  const cycleEndsAt = timeOf(property(said, 'cycle_end_timestamp'));
  return {
    kind: 'new_chat_cap',
    quota,
    used,
    ...(cycleEndsAt === undefined ? {} : { cycleEndsAt }),
    warning: WARNINGS[String(property(said, 'capping_status'))] ?? 'none',
  };
}

/** Health change of a notification; undefined for notifications about other things. */
export function readNotification(node: BinaryNode, now: number): NumberHealthChange | undefined {
  const data = property(parsedJson(textOf(getBinaryNodeChild(node, 'update')) ?? ''), 'data');
  return (
    readLock(property(data, 'xwa2_notify_account_reachout_timelock'), now) ??
    readCap(property(data, 'xwa2_notify_new_chat_messages_capping_info_update'))
  );
}

/** Accepts numbers and numeric text. */
function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Converts seconds to milliseconds; 0 means none. */
function timeOf(value: unknown): number | undefined {
  const seconds = countOf(value);
  return seconds !== undefined && seconds > 0 && Number.isSafeInteger(seconds * 1_000)
    ? seconds * 1_000
    : undefined;
}
