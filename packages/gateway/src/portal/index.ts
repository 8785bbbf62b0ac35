export { createPortal } from './portal.ts';
