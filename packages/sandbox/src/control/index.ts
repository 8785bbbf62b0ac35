export type { ClockControl } from './conditions.ts';
export { bodyWithFilesMaxBytes, type File, type MediaFetcher } from './files.ts';
export { type SandboxControl, sandboxRoutes } from './plugin.ts';
