export { chatsRoutes } from './routes.ts';
