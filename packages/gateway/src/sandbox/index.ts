export { createCallServer } from './call-log.ts';
export { findVirtualNetwork } from './elsewhere.ts';
export { openSandbox } from './mount.ts';
export { startVirtualNetwork } from './start.ts';
