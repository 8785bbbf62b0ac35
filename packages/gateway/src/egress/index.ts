export { judgeUrl, type UrlVerdict } from './addresses.ts';
export type { Download, Downloaded } from './download.ts';
export {
  createEgress,
  type Egress,
  type EgressOptions,
  type Reply,
} from './egress.ts';
export { EgressError, type EgressErrorCode } from './errors.ts';
export type { Post, Posted } from './post.ts';
export { createProxyRoutes, type ProxyRoute, type ProxyRoutes } from './proxy-routes.ts';
export type { FileKind } from './sniff.ts';
export { createSpool, type SpoolOptions } from './spool.ts';
