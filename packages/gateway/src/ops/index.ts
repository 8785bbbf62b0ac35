export { createLog, type Log } from './log.ts';
export {
  createMetrics,
  type Metrics,
  registerClientVersionMetrics,
  registerHealthMetrics,
  registerHostingMetrics,
  registerQuarantineMetrics,
} from './metrics.ts';
export type { Part } from './routes.ts';
export { opsRoutes } from './routes.ts';
