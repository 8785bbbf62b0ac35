export { callsRoutes } from './routes.ts';
