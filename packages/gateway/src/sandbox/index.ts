export { createCallServer } from './call-log.ts';
export { findVirtualNetwork } from './elsewhere.ts';
export { openSandbox, type SandboxInterface } from './mount.ts';
export { startVirtualNetwork } from './start.ts';
