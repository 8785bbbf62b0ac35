/**
 * Distribution of sessions over workers. A worker takes up to its fair share, so workers that start together get one
 * share each, and the sessions of a dead worker are divided among the others. A worker that joins later starts with
 * none: workers clearly above their share then release a few sessions at a time, until they have their share.
 * Differences caused by pairing and unlinking stay: moving a session costs a login.
 */
export interface Balance {
  /** Sessions that this worker may still take. */
  readonly room: number;
  /** Sessions that it should release now. */
  readonly excess: number;
}

/** Sessions hosted by a worker that is alive. */
export interface Load {
  readonly worker: string;
  readonly sessions: number;
}

/** A smaller surplus is not worth a login. */
const WORTH_MOVING = 4;
/** As many as the new worker logs in at the same time. */
const MOVED_AT_ONCE = 8;

/**
 * `total`: all sessions that should have a host. `isGiving`: the worker has begun to release sessions and goes on
 * until it has its share.
 */
export function balanceOf(worker: string, loads: readonly Load[], total: number, isGiving: boolean): Balance {
  const own = loads.find((load) => load.worker === worker)?.sessions ?? 0;
  const share = Math.ceil(total / Math.max(loads.length, 1));
  const above = own - share;
  const hasPoorWorker = loads.some(({ sessions }) => sessions < share / 2);
  const shouldGive = above > 0 && (isGiving || (above >= WORTH_MOVING && hasPoorWorker));
  return { room: Math.max(-above, 0), excess: shouldGive ? Math.min(above, MOVED_AT_ONCE) : 0 };
}
