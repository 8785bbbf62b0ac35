export { createLog, type Log } from './log.ts';
export {
  createMetrics,
  type HostingFigures,
  type Metrics,
  registerHostingMetrics,
  registerQuarantineMetrics,
} from './metrics.ts';
export type { Part } from './routes.ts';
export { opsRoutes } from './routes.ts';
