import { createEventStreams, createFeed, createLiveFeed, createRedactedPayloadReader } from '#event-log';
import type { BrowserGate, Route, Site } from '#http';
import type { Clock } from '#kernel';
import { createBrowserGate, createBrowserSessions, createCookies } from './browser-sessions.ts';
import type { PortalContext } from './context.ts';
import { createKnownBrowsers } from './limits/known-browser.ts';
import { createLimiter } from './limits/limiter.ts';
import { accountRoutes } from './routes/account.ts';
import { accountLifeRoutes } from './routes/account-life.ts';
import { activityRoutes } from './routes/activity.ts';
import { billingRoutes } from './routes/billing.ts';
import { chatRoutes } from './routes/chats.ts';
import { entranceRoutes } from './routes/entrance.ts';
import { messageRoutes } from './routes/messages.ts';
import { numberRoutes } from './routes/numbers.ts';
import { oversightRoutes } from './routes/oversight.ts';
import { ownAccessRoutes } from './routes/own-access.ts';
import { ownerLinkRoutes } from './routes/owner-links.ts';
import { teamRoutes } from './routes/team.ts';
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

/** The whole room. */
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
  /** What people at their browsers are measured by: the sandbox's time travel must not sign them out. */
  readonly machineClock: Clock;
  readonly operatorToken: string | undefined;
  /** Where the build of the pages lies, when not where it is usually put. */
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
  // A number's budget goes with the sandbox's time, and with it what may be tried out of it.
  const sendLimiter = createLimiter({ store, clock, family: 'sends' });
  const signIn = createSignIn({
    members: accounts,
    limiter,
    signUpIsOpen: parts.signUpIsOpen,
    operatorToken,
    clock: machineClock,
  });
  // The portal shows that something happened; what was written stays between those who wrote it and the account's own systems.
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
