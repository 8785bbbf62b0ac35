export { askThrough } from './ask.ts';
export { findVirtualNetwork } from './elsewhere.ts';
export { mountSandbox } from './mount.ts';
export { startVirtualNetwork } from './start.ts';
