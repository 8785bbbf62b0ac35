export type { AskSandbox } from './context.ts';
export { createPortal, type Portal, type PortalParts } from './portal.ts';
