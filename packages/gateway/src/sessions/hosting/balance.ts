/**
 * How sessions are spread over workers. A worker takes up to its fair share and no more, so several that start together each get theirs,
 * and what a dead one leaves is divided among the others. One that joins later begins with nothing: then those who have clearly more than
 * their share give up some of it, a few at a time, until they have just their share. Differences that come about by pairing and
 * unlinking are left alone: moving a session costs it a login.
 */
export interface Balance {
  /** How many more this worker may take. */
  readonly room: number;
  /** How many it should give up now. */
  readonly excess: number;
}

/** What a worker that is alive hosts. */
export interface Load {
  readonly worker: string;
  readonly sessions: number;
}

/** With fewer above the share it is not worth a single login. */
const WORTH_MOVING = 4;
/** As many as the one who joined logs in at the same time. */
const MOVED_AT_ONCE = 8;

/** `total`: all that should be hosted by somebody. `isGiving`: the worker has begun to give up and goes on until it has its share. */
export function balanceOf(worker: string, loads: readonly Load[], total: number, isGiving: boolean): Balance {
  const own = loads.find((load) => load.worker === worker)?.sessions ?? 0;
  const share = Math.ceil(total / Math.max(loads.length, 1));
  const above = own - share;
  const somebodyIsPoor = loads.some(({ sessions }) => sessions < share / 2);
  const shouldGive = above > 0 && (isGiving || (above >= WORTH_MOVING && somebodyIsPoor));
  return { room: Math.max(-above, 0), excess: shouldGive ? Math.min(above, MOVED_AT_ONCE) : 0 };
}
