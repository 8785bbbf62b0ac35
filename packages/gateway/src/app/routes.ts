import { accountsRoutes } from '#accounts';
import { billingRoutes } from '#billing';
import type { Config } from '#config';
import { historyRoutes } from '#conversations';
import type { EventStreams, Feed } from '#events';
import { healthRoutes } from '#health';
import { driftRoutes, eventsRoutes, quarantineRoutes } from '#inbound';
import { createUploads, mediaRoutes } from '#media';
import { messagesRoutes } from '#messages';
import { accountLifeRoutes } from '#offboarding';
import {
  callsRoutes,
  channelsRoutes,
  chatsRoutes,
  contactsRoutes,
  groupsRoutes,
  presenceRoutes,
} from '#operations';
import type { Route } from '#platform/http';
import { opsRoutes, throughputRoutes } from '#platform/observe';
import type { Sessions } from '#sessions';
import { webhooksRoutes } from '#webhooks';
import type { Contexts, Features } from './features.ts';
import type { Foundation } from './foundation.ts';
import { createEventSink, noExtraWrites } from './hosting/create-host.ts';
import type { HostingPlace } from './hosting/hosting-place.ts';
import type { Common } from './hosting/open-common.ts';

export interface RoutesParts extends Contexts, Features {
  readonly base: Foundation;
  readonly common: Common;
  readonly feed: Feed;
  readonly streams: EventStreams;
  readonly hosting: HostingPlace;
  readonly sessions: Sessions;
}

/** The routes of all features; the portal adds its own. */
export function allRoutes(config: Config, parts: RoutesParts): Route[] {
  const { base, common, sessions, media, history } = parts;
  const { store, clock, machineClock, sealedBox } = base;
  const { actions, book, directory } = common;
  const { library, links } = common.media;
  const { access, obtain, uploads } = media;
  return [
    ...accountsRoutes(parts.accounts),
    ...accountLifeRoutes(parts.life),
    ...billingRoutes(parts.billing),
    ...sessions.routes,
    ...healthRoutes(parts.health),
    ...messagesRoutes(parts.sends),
    ...mediaRoutes({
      ...{ library, access, obtain, links },
      blocked: async (accountId) => (await directory.ownerOf(accountId))?.blocked ?? null,
      takeUpload: createUploads({ library: uploads, machineClock }),
    }),
    ...groupsRoutes({ ...sessions, actions: actions.groups, media: access }),
    ...contactsRoutes({ ...sessions, actions: actions.contacts, media: access }),
    ...chatsRoutes({ ...sessions, book, nameOf: history.nameOf }),
    ...historyRoutes(history),
    ...channelsRoutes({ ...sessions, actions: actions.channels, media: access }),
    ...callsRoutes(sessions),
    ...presenceRoutes(sessions),
    ...webhooksRoutes(parts.webhooks),
    ...eventsRoutes({ feed: parts.feed, streams: parts.streams, gatekeeper: directory }),
    ...quarantineRoutes({
      ...{ store, clock, sealedBox },
      publish: createEventSink(common, base.work, noExtraWrites),
    }),
    ...driftRoutes({ store, clock }),
    ...throughputRoutes({ store, clock }),
    ...opsRoutes({
      ...{ metrics: base.metrics, clock, parts: checkedParts(config, parts) },
      metricsToken: config.metricsToken ?? (config.mode === 'production' ? config.operatorToken : 'open'),
    }),
  ];
}

/** What `/readyz` checks. */
function checkedParts(config: Config, { base: { store, bus }, hosting }: RoutesParts) {
  return [
    { name: 'store', check: () => store.check() },
    { name: 'bus', check: () => bus.check() },
    ...(config.roles.has('worker') ? [{ name: 'worker', check: () => hosting.check() }] : []),
  ];
}
