import type { LoginRefusal } from '../../world/index.ts';
import { type Node, node } from '../transport/nodes.ts';

export const DEVICE_REMOVED = 401;
export const REPLACED = 440;
/** A client comes back at once: after pairing, as a device that is linked. */
export const RESTART = 515;

/** It has waited for an acknowledgement in vain, and says so without a number. */
const UNACKNOWLEDGED = 408;

/** Clients tell these apart by what the conflict is, others by their number alone. */
const CONFLICTS: Readonly<Record<number, string | undefined>> = {
  [DEVICE_REMOVED]: 'device_removed',
  [REPLACED]: 'replaced',
};

/** The network's last word on a connection. */
export function streamError(code: number): Node {
  if (code === UNACKNOWLEDGED)
    return node('stream:error', {}, [node('ack', { class: 'message', id: '3EB0' })]);
  const type = CONFLICTS[code];
  return node('stream:error', { code }, type === undefined ? undefined : [node('conflict', { type })]);
}

/** The answer to a login that is refused. */
export function failure({ reason, code, expireSeconds }: LoginRefusal): Node {
  return node('failure', { reason, code, expire: expireSeconds });
}
