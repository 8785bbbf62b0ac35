export { type HostingFigures, registerHostingMetrics } from './hosting-metrics.ts';
export { createLog, type Log } from './log.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { registerQuarantineMetrics } from './quarantine-metrics.ts';
export type { Part } from './readiness.ts';
export { opsRoutes } from './routes.ts';
