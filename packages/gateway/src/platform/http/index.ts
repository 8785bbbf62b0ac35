export { decodeBase64, NotBase64, splitDataUrl } from './bodies/base64.ts';
export { BodyFile } from './bodies/body-files.ts';
export { type BodyBudget, createBodyBudget } from './bodies/budget.ts';
export type { BrowserGate } from './callers/authenticate.ts';
export {
  type Caller,
  type Gatekeeper,
  type KeyHolder,
  type MaybePromise,
  type NumberWithStatus,
  type OwnedNumber,
  requireReach,
  type Visitor,
} from './callers/caller.ts';
export { checkOperatorToken, sameSecret } from './callers/checks.ts';
export { networksOf } from './callers/networks.ts';
export type { Answered, KeyedRequest } from './callers/request-lifecycle.ts';
export {
  type CompatApi,
  type CompatEndpoint,
  CompatError,
  type CompatRequest,
  type CompatResponse,
  type CompatVisit,
  compatEndpoint,
} from './compat-api.ts';
export { type CompatInput, JSON_FIELDS } from './compat-input.ts';
export type { Page, Site, SiteFile } from './pages.ts';
export type { RequestContext } from './request-context.ts';
export { type Invoke, type Route, serve } from './route.ts';
export { closeServer, createHttpServer, type HttpServerOptions } from './server.ts';
