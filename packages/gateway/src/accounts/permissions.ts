import type { Permission } from '@parley/contract';

/** As the database keeps them; null: all of them. */
export function readPermissions(json: string | null): ReadonlySet<Permission> | null {
  return json === null ? null : new Set(JSON.parse(json) as Permission[]);
}
