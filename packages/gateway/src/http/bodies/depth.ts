import { fault } from '#kernel';

/** Far beyond what any interface has, and far from what a call stack holds. */
const DEPTH_MAX = 64;

/** For bodies of which fields without a schema are handed on: whoever walks them later may do it on the call stack. */
export function refuseDepth(body: unknown): void {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX)
      throw fault('invalid_field', { text: `body must not be nested deeper than ${DEPTH_MAX} levels` });
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
}
