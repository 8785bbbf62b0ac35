export { requestsOf } from './list.ts';
export { createRequestLog } from './recorder.ts';
