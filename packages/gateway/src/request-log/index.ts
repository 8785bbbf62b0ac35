export { requestsOf } from './list.ts';
export { createRequestLog, type RequestLog } from './recorder.ts';
