import type { NewChatCap, ReachoutLock, World } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import { fieldsOf } from '../json-fields.ts';
import { type Node, node, SERVER } from '../transport/nodes.ts';
import type { MexQuery } from './iq.ts';

/** Notifications about restrictions of an account: pushed when they change, and answered to queries. */

const LOCK_CHANGED = 'NotificationUserReachoutTimelockUpdate';
const CAP_CHANGED = 'MessageCappingInfoNotification';
/** Newer clients have another number for the query about the cap, and another name for the cap. */
const CAP_QUERIES = {
  '24503548349331633': 'INDIVIDUAL_NEW_CHAT_MSG',
  '27910975521856601': 'INDIVIDUAL_NEW_CHAT_THREAD',
} as const;

/** Times are text on the wire. */
const seconds = (ms: number): string => String(Math.floor(ms / 1_000));

function lockFields(lock: ReachoutLock | undefined) {
  return lock
    ? { is_active: true, enforcement_type: lock.type, time_enforcement_ends: seconds(lock.endsAt) }
    : { is_active: false };
}

function capFields({ quota, used, cycleStartedAt, cycleEndsAt, status }: NewChatCap, now: number) {
  return {
    total_quota: quota,
    used_quota: used,
    cycle_start_timestamp: seconds(cycleStartedAt),
    cycle_end_timestamp: seconds(cycleEndsAt),
    server_sent_timestamp: seconds(now),
    ote_status: 'NOT_ELIGIBLE',
    mv_status: 'NOT_ELIGIBLE',
    capping_status: status,
  };
}

function mexNotification(id: string, at: number, operation: string, data: object): Node {
  const update = node('update', { op_name: operation }, Buffer.from(JSON.stringify({ data })));
  return node('notification', { id, from: SERVER, type: 'mex', t: seconds(at) }, [update]);
}

export function lockNotification(id: string, at: number, lock: ReachoutLock | undefined): Node {
  return mexNotification(id, at, LOCK_CHANGED, { xwa2_notify_account_reachout_timelock: lockFields(lock) });
}

export function capNotification(id: string, at: number, cap: NewChatCap): Node {
  const fields = capFields(cap, at);
  return mexNotification(id, at, CAP_CHANGED, { xwa2_notify_new_chat_messages_capping_info_update: fields });
}

/** The stored queries; the answer for an account without a cap is empty. */
export function standingQueries(
  { standing }: Pick<World, 'standing'>,
  now: () => number,
): Readonly<Record<string, MexQuery>> {
  return {
    '23983697327930364': {
      path: 'xwa2_fetch_account_reachout_timelock',
      answer: ({ device }) => lockFields(standing.lockOf(device.phone)),
    },
    ...Object.fromEntries(Object.entries(CAP_QUERIES).map(([id, type]) => [id, capQuery(type)])),
  };

  function capQuery(type: string): MexQuery {
    return {
      variables: ['input'],
      path: 'xwa2_message_capping_info',
      answer({ device }, { input }) {
        if (fieldsOf(input).type !== type) throw new Refusal(400, 'no such cap');
        const cap = standing.capOf(device.phone);
        return cap ? capFields(cap, now()) : {};
      },
    };
  }
}
