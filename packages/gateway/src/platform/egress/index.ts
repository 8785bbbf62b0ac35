export { judgeUrl } from './addresses.ts';
export { guardConnections, NETWORK_HOSTS } from './connection-guard.ts';
export { createServiceFetch } from './connector.ts';
export type { Downloaded } from './download.ts';
export {
  createEgress,
  type Egress,
  type Reply,
} from './egress.ts';
export { EgressError, type EgressErrorCode } from './errors.ts';
export type { Post, Posted, PostedAnswer } from './post.ts';
export { createProxyRoutes } from './proxy-routes.ts';
export { SNIFFED_BYTES, sniff } from './sniff.ts';
export { createSpool, type SpoolOptions } from './spool.ts';
