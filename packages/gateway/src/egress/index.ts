export type { Download, Downloaded } from './download.ts';
export { createEgress, type Egress, type EgressOptions, type Post } from './egress.ts';
export { EgressError, type EgressErrorCode } from './errors.ts';
export { createMediaServers, type MediaServers } from './media-servers.ts';
export type { FileKind } from './sniff.ts';
export { judgeUrl, type UrlVerdict } from './urls.ts';
