export { createGroupActions } from './host-actions.ts';
export { groupsRoutes } from './routes.ts';
