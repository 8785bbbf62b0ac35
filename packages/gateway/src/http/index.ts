export type { BrowserGate } from './browser.ts';
export type { Caller, Gatekeeper, KeyHolder, OwnedNumber, Soon, StandingNumber } from './caller.ts';
export { checkOperatorToken, sameSecret } from './checks.ts';
export type { Page } from './page.ts';
export type { Answered } from './request-gate.ts';
export { type RequestContext, type Route, serve, unservedRoutes } from './route.ts';
export { createHttpServer, type HttpServerOptions } from './server.ts';
export type { Site, SiteFile } from './site.ts';
