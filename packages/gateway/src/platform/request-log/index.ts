export { createRequestLog, type RequestLog, requestsOf } from './request-log.ts';
