import { createEventStreams, createFeed, createLiveFeed, createRedactedPayloadReader } from '#events';
import type { Clock } from '#kernel';
import type { BrowserGate, Route, Site } from '#platform/http';
import { createBrowserGate, createBrowserSessions, createCookies } from './browser-sessions.ts';
import type { PortalContext } from './context.ts';
import { createKnownBrowsers } from './limits/known-browser.ts';
import { createLimiter } from './limits/shared-limits.ts';
import { accountLifeRoutes, accountRoutes, billingRoutes, teamRoutes } from './routes/account.ts';
import { activityRoutes, messageRoutes } from './routes/activity.ts';
import { entranceRoutes, ownAccessRoutes, ownerLinkRoutes } from './routes/entrance.ts';
import { chatRoutes, numberRoutes } from './routes/numbers.ts';
import { oversightRoutes } from './routes/oversight.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { createSignIn } from './sign-in.ts';
import { createPortalSites } from './site.ts';

const ROUTES = [
  entranceRoutes,
  ownerLinkRoutes,
  accountRoutes,
  accountLifeRoutes,
  ownAccessRoutes,
  teamRoutes,
  numberRoutes,
  billingRoutes,
  chatRoutes,
  webhookRoutes,
  activityRoutes,
  messageRoutes,
  oversightRoutes,
];

/** The portal: its routes, its pages and its streams. */
export interface Portal {
  readonly routes: readonly Route[];
  readonly gate: BrowserGate;
  readonly sites: readonly Site[];
  /** Ends the streams. */
  close(): void;
}

export interface PortalParts
  extends Omit<
    PortalContext,
    | 'browserSessions'
    | 'knownBrowsers'
    | 'cookies'
    | 'gate'
    | 'signIn'
    | 'streams'
    | 'sendLimiter'
    | 'hasOperator'
  > {
  /** Clock for sign-ins and sessions: the sandbox's time travel must not sign people out. */
  readonly machineClock: Clock;
  readonly operatorToken: string | undefined;
  /** Folder of the built pages, if not the default one. */
  readonly pages?: string;
}

export function createPortal(parts: PortalParts): Portal {
  const { store, clock, machineClock, accounts, directory, webhooks, operatorToken } = parts;
  const cookies = createCookies({ secure: parts.secure });
  const browserSessions = createBrowserSessions({
    store,
    clock: machineClock,
    random: accounts.random,
    operatorToken,
  });
  const knownBrowsers = createKnownBrowsers({
    sealedBox: accounts.sealedBox,
    clock: machineClock,
    secure: parts.secure,
  });
  const gate = createBrowserGate({ cookies, browserSessions, directory, members: accounts });
  const limiter = createLimiter({ store, clock: machineClock, family: 'people' });
  // Test sends follow the sandbox's clock, as the number's send limit does.
  const sendLimiter = createLimiter({ store, clock, family: 'sends' });
  const signIn = createSignIn({
    members: accounts,
    limiter,
    signUpIsOpen: parts.signUpIsOpen,
    operatorToken,
    clock: machineClock,
  });
  // The portal shows events without their content, which belongs to the people in the chat and to the account's own systems.
  const feed = createFeed({ store, readPayloads: createRedactedPayloadReader(store) });
  const live = createLiveFeed({ feed, bus: webhooks.bus, clock: machineClock });
  const learnNews = () => directory.learnNews();
  const streams = createEventStreams({ feed, live, bus: webhooks.bus, clock: machineClock, learnNews });
  const hasOperator = operatorToken !== undefined;
  const context = {
    ...parts,
    cookies,
    browserSessions,
    knownBrowsers,
    gate,
    signIn,
    streams,
    sendLimiter,
    hasOperator,
  };

  return {
    routes: ROUTES.flatMap((routesOf) => routesOf(context)),
    gate,
    sites: Object.values(createPortalSites(parts.pages)),
    close: () => streams.close(),
  };
}
