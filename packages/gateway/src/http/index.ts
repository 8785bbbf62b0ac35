export { decodeBase64, NotBase64, splitDataUrl } from './bodies/base64.ts';
export { BodyFile } from './bodies/body-files.ts';
export { type BodyBudget, createBodyBudget } from './bodies/budget.ts';
export { SAID_IN_JSON } from './bodies/said-in-json.ts';
export type { BrowserGate } from './callers/authenticate.ts';
export type {
  Caller,
  Gatekeeper,
  KeyHolder,
  OwnedNumber,
  Soon,
  StandingNumber,
  Visitor,
} from './callers/caller.ts';
export { checkOperatorToken, sameSecret } from './callers/checks.ts';
export { networksOf } from './callers/networks.ts';
export type { Answered, KeyedRequest } from './callers/request-gate.ts';
export { closeServer } from './close-server.ts';
export {
  type ForeignAnswer,
  type ForeignCall,
  type ForeignEndpoint,
  ForeignRefusal,
  type ForeignSurface,
  type ForeignVisit,
  foreignEndpoint,
} from './foreign.ts';
export type { ForeignInput } from './foreign-input.ts';
export type { Invoke } from './invoke.ts';
export type { Page, Site, SiteFile } from './pages.ts';
export type { RequestContext } from './request-context.ts';
export { type Route, serve } from './route.ts';
export { createHttpServer, type HttpServerOptions } from './server.ts';
