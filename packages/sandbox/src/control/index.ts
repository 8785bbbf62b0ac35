export type { ClockControl } from './conditions.ts';
export type { File, MediaFetcher } from './files.ts';
export { type SandboxControl, sandboxRoutes } from './plugin.ts';
