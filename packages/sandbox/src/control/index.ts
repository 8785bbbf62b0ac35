export type { ClockControl } from './conditions.ts';
export { bodyWithFilesMaxBytes, type File, type MediaFetcher } from './files.ts';
export { type Guest, rememberBringer } from './guests.ts';
export { type SandboxControl, sandboxRoutes } from './plugin.ts';
export { createReception, type Reception, type Visit, type VisitAnswer } from './reception.ts';
