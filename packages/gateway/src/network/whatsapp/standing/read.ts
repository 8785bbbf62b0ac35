import { type BinaryNode, getBinaryNodeChild } from 'baileys';
import { parsedJson } from '#kernel';
import type { StandingNews } from '../../port.ts';
import { property } from '../errors.ts';
import { textOf } from '../link/queries.ts';

/**
 * What the network says about an account, read from its own words. The library passes on only those types of restriction that it has a name
 * for, and calls the others none.
 */

type Lock = Extract<StandingNews, { kind: 'reachout_lock' }>;
type Cap = Extract<StandingNews, { kind: 'new_chat_cap' }>;

/** As the web client does where the network does not say when a restriction ends. */
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

/** What a notification tells of it; undefined for those about other things. */
export function readNotification(node: BinaryNode, now: number): StandingNews | undefined {
  const data = property(parsedJson(textOf(getBinaryNodeChild(node, 'update')) ?? ''), 'data');
  return (
    readLock(property(data, 'xwa2_notify_account_reachout_timelock'), now) ??
    readCap(property(data, 'xwa2_notify_new_chat_messages_capping_info_update'))
  );
}

/** Numbers come as such or as text. */
function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Seconds as milliseconds; 0 is none. */
function timeOf(value: unknown): number | undefined {
  const seconds = countOf(value);
  return seconds !== undefined && seconds > 0 && Number.isSafeInteger(seconds * 1_000)
    ? seconds * 1_000
    : undefined;
}
