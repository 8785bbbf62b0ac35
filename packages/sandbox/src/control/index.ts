export { bodyWithFilesMaxBytes, type File, type MediaFetcher } from './files.ts';
export { createGuestApi, type GuestApi, type GuestRequest, type GuestResponse } from './guest-api.ts';
export { type Guest, recordCreator } from './guests.ts';
export { type SandboxControl, sandboxRoutes } from './plugin.ts';
export type { ClockControl } from './routes/conditions.ts';
