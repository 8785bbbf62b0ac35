export { throughputRoutes } from './routes.ts';
export { createThroughput } from './throughput.ts';
