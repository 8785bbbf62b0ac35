import type { LoginRefusal } from '../../world/index.ts';
import { type Node, node } from '../transport/nodes.ts';

export const DEVICE_REMOVED = 401;
export const REPLACED = 440;
/** The client reconnects at once: after pairing, as a linked device. */
export const RESTART = 515;

/** An acknowledgement timed out; the stanza has no code. */
const UNACKNOWLEDGED = 408;

/** Clients distinguish these by the type of the conflict. */
const CONFLICTS: Readonly<Record<number, string | undefined>> = {
  [DEVICE_REMOVED]: 'device_removed',
  [REPLACED]: 'replaced',
};

/** A replaced client gets the conflict alone. */
const CODED: ReadonlySet<number> = new Set([DEVICE_REMOVED]);

/** The final stanza of a connection. */
export function streamError(code: number): Node {
  if (code === UNACKNOWLEDGED)
    return node('stream:error', {}, [node('ack', { class: 'message', id: '3EB0' })]);
  const type = CONFLICTS[code];
  return type === undefined
    ? node('stream:error', { code })
    : node('stream:error', { code: CODED.has(code) ? code : undefined }, [node('conflict', { type })]);
}

/** The answer to a refused login. */
export function failure({ reason, code, expireSeconds }: LoginRefusal): Node {
  return node('failure', { reason, code, expire: expireSeconds });
}
