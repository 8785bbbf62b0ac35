export { createChannelActions } from './host-actions.ts';
export { channelsRoutes } from './routes.ts';
