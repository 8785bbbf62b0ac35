export type { BrowserGate } from './authenticate.ts';
export type { Caller, Gatekeeper, KeyHolder, OwnedNumber, Soon, StandingNumber, Visitor } from './caller.ts';
export { checkOperatorToken, sameSecret } from './checks.ts';
export { closeServer } from './close-server.ts';
export {
  type ForeignAnswer,
  type ForeignCall,
  type ForeignEndpoint,
  ForeignRefusal,
  type ForeignSurface,
} from './foreign.ts';
export { FormFile } from './forms.ts';
export type { Page, Site, SiteFile } from './pages.ts';
export type { RequestContext } from './request-context.ts';
export type { Answered, KeyedRequest } from './request-gate.ts';
export { type Route, serve } from './route.ts';
export { createHttpServer, type HttpServerOptions } from './server.ts';
