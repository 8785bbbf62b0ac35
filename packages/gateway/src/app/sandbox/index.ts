export { findVirtualNetwork } from './elsewhere.ts';
export { createCallServer, openSandbox, type SandboxInterface, startVirtualNetwork } from './mount.ts';
