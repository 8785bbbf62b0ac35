import type { Right } from '../../roles.ts';
import type { Operation } from '../operation.ts';

/** What owners do in the portal once they have signed in. */
export const onPortal = { tag: 'Portal', surface: 'portal', limits: [] } as const;

/** An operation of another surface as the owner uses it in the portal: the same request and answer through another door. */
export function inPortal<
  const O extends Operation,
  const I extends string,
  const P extends string,
  const R extends Right,
>(operation: O, newId: I, newPath: P, right: R) {
  const { id, path, surface, permission, tag, ...same } = operation;
  return { ...same, ...onPortal, limits: operation.limits, id: newId, path: newPath, right };
}
