import type { Directory, MembersContext } from '#accounts';
import type { BillingContext } from '#billing';
import type { HistoryContext } from '#conversations';
import type { EventStreams } from '#events';
import type { HealthContext } from '#health';
import type { Clock } from '#kernel';
import type { AcceptContext } from '#messages';
import type { ExportContext, LifeContext } from '#offboarding';
import type { BrowserGate } from '#platform/http';
import type { Store } from '#platform/store';
import type { Linking, LoginPasskeys, OwnerLinks, SessionOverview } from '#sessions';
import type { WebhooksContext } from '#webhooks';
import type { BrowserSessions, Cookies } from './browser-sessions.ts';
import type { KnownBrowsers } from './limits/known-browser.ts';
import type { Limiter } from './limits/shared-limits.ts';
import type { SignIn } from './sign-in.ts';

/** Calls the virtual network for an account, limited to the phones of that account. */
type AskSandbox = (visit: {
  readonly guest: {
    /** Id of the account, by which the network records the owner of a phone. */
    readonly name: string;
    /** Sessions of the account's numbers. */
    readonly sessions: readonly string[];
  };
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path below `/sandbox/v1`. */
  readonly path: string;
  readonly body: unknown;
}) => Promise<{ readonly status: number; readonly body: unknown }>;

/** Dependencies of the portal's routes: use cases of other rooms, and the portal's own parts. */
export interface PortalContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly accounts: MembersContext;
  readonly billing: BillingContext;
  readonly directory: Directory;
  readonly states: SessionOverview;
  readonly health: HealthContext;
  readonly history: HistoryContext;
  readonly linking: Linking;
  readonly logins: LoginPasskeys;
  readonly ownerLinks: OwnerLinks;
  readonly webhooks: WebhooksContext;
  readonly sends: AcceptContext;
  /** Closes accounts and deletes their data. */
  readonly life: LifeContext;
  readonly exports: ExportContext;
  /** Streams of redacted events. */
  readonly streams: EventStreams;
  readonly browserSessions: BrowserSessions;
  readonly knownBrowsers: KnownBrowsers;
  readonly cookies: Cookies;
  readonly gate: BrowserGate;
  readonly signIn: SignIn;
  /** Limits test sends of a number. */
  readonly sendLimiter: Limiter;
  readonly signUpIsOpen: boolean;
  readonly hasOperator: boolean;
  /** Restricts cookies to HTTPS. */
  readonly secure: boolean;
  /** Undefined when owners have no sandbox. */
  readonly askSandbox: AskSandbox | undefined;
}
