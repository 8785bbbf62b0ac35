export { createContactActions } from './host-actions.ts';
export { contactsRoutes } from './routes.ts';
