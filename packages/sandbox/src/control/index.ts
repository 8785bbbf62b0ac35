export { bodyWithFilesMaxBytes, type File, type MediaFetcher } from './files.ts';
export { type Guest, rememberBringer } from './guests.ts';
export { type SandboxControl, sandboxRoutes } from './plugin.ts';
export { createReception, type Reception, type Visit, type VisitAnswer } from './reception.ts';
export type { ClockControl } from './routes/conditions.ts';
