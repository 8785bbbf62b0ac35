import type { Right } from '../../roles.ts';
import type { Operation } from '../operation.ts';

/** Operations of signed-in members. */
export const onPortal = { tag: 'Portal', surface: 'portal', limits: [] } as const;

/** Offers an operation of another surface in the portal, with the same request and answer. */
export function inPortal<
  const O extends Operation,
  const I extends string,
  const P extends string,
  const R extends Right,
>(operation: O, newId: I, newPath: P, right: R) {
  const { id, path, surface, permission, tag, sdk, mcp, cli, run, ...same } = operation;
  return { ...same, ...onPortal, limits: operation.limits, id: newId, path: newPath, right };
}
