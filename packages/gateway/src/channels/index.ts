export { createChannelActions, type SendBudget } from './host-actions.ts';
export { channelsRoutes } from './routes.ts';
