export type { Caller, Gatekeeper, OwnedNumber, Soon } from './caller.ts';
export { checkOperatorToken } from './checks.ts';
export type { Page } from './page.ts';
export { type Call, type Route, serve, unservedRoutes } from './route.ts';
export { type Answered, createHttpServer, type HttpServerOptions } from './server.ts';
