import type { ExportContext, LifeContext } from '#account-life';
import type { Directory, MembersContext } from '#accounts';
import type { BillingContext } from '#billing';
import type { EventStreams } from '#event-log';
import type { HealthContext } from '#health';
import type { HistoryContext } from '#history';
import type { BrowserGate } from '#http';
import type { Clock } from '#kernel';
import type { AcceptContext } from '#messages';
import type { Linking, OwnerLinks, SessionOverview } from '#sessions';
import type { Store } from '#store';
import type { WebhooksContext } from '#webhooks';
import type { BrowserSessions, Cookies } from './browser-sessions.ts';
import type { KnownBrowsers } from './limits/known-browser.ts';
import type { Limiter } from './limits/limiter.ts';
import type { SignIn } from './sign-in.ts';

/** Asks the virtual network itself, on behalf of an account, which has some of its phones. */
type AskSandbox = (visit: {
  readonly guest: {
    /** The account, by which the network remembers whose phone is whose. */
    readonly name: string;
    /** Those of the account's numbers. */
    readonly sessions: readonly string[];
  };
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Behind `/sandbox/v1`. */
  readonly path: string;
  readonly body: unknown;
}) => Promise<{ readonly status: number; readonly body: unknown }>;

/** What the routes of this room work with: the other rooms' use cases, and its own parts. */
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
  readonly ownerLinks: OwnerLinks;
  readonly webhooks: WebhooksContext;
  readonly sends: AcceptContext;
  /** Ends what belongs to accounts. */
  readonly life: LifeContext;
  readonly exports: ExportContext;
  /** Of redacted events. */
  readonly streams: EventStreams;
  readonly browserSessions: BrowserSessions;
  readonly knownBrowsers: KnownBrowsers;
  readonly cookies: Cookies;
  readonly gate: BrowserGate;
  readonly signIn: SignIn;
  /** Of what is tried out with a number. */
  readonly sendLimiter: Limiter;
  readonly signUpIsOpen: boolean;
  readonly hasOperator: boolean;
  /** Cookies travel over https only. */
  readonly secure: boolean;
  /** Undefined where owners have no sandbox to use. */
  readonly askSandbox: AskSandbox | undefined;
}
