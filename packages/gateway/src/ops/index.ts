export { giveBackMemoryWhenIdle } from './idle-memory.ts';
export { createLog, type Log } from './log.ts';
export { registerBacklogMetrics } from './metrics/backlog.ts';
export { createMetrics, type Metrics } from './metrics/metrics.ts';
export {
  registerClientVersionMetrics,
  registerHealthMetrics,
  registerHostingMetrics,
  registerQuarantineMetrics,
} from './metrics/numbers.ts';
export { registerPausedEndpoints } from './metrics/work.ts';
export type { Part } from './routes.ts';
export { opsRoutes } from './routes.ts';
