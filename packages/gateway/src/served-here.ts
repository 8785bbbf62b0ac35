import type { Surface } from '@parley/contract';
import type { Role } from '#config';
import type { Route } from '#http';

/** Which roles bring a surface with them. The portal shows the operator's pages too; how a process is doing can be asked of every one. */
const ROLES_OF_SURFACE: Record<Surface, readonly Role[] | 'every'> = {
  v1: ['api'],
  signed: ['api', 'portal'],
  operator: ['api', 'portal'],
  portal: ['portal'],
  portal_entrance: ['portal'],
  public: 'every',
};

/** Those routes that a process with these roles serves; it does not know the others. */
export function servedHere(routes: readonly Route[], roles: ReadonlySet<Role>): Route[] {
  return routes.filter(({ operation }) => {
    const bringers = ROLES_OF_SURFACE[operation.surface];
    return bringers === 'every' || bringers.some((role) => roles.has(role));
  });
}
