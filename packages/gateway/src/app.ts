import type { Sandbox } from '@parley/sandbox';
import type { FastifyInstance } from 'fastify';
import { accountLifeRoutes } from '#account-life';
import { type AccountsContext, accountsRoutes, recordKeyUses } from '#accounts';
import { billingRoutes, createNoticeBell } from '#billing';
import { callsRoutes } from '#calls';
import { channelsRoutes } from '#channels';
import { chatsRoutes, createChatNames } from '#chats';
import { createCompat } from '#compat';
import { type Config, describeConfig } from '#config';
import { contactsRoutes } from '#contacts';
import { createEventStreams, createFeed, createLiveFeed, createPayloadReader } from '#event-log';
import { eventsRoutes, quarantineRoutes } from '#events';
import { groupsRoutes } from '#groups';
import { createSendWatch, healthRoutes } from '#health';
import { historyRoutes } from '#history';
import { closeServer } from '#http';
import {
  type Clock,
  createSystemClock,
  type Random,
  systemRandom,
  type TravelClock,
  waitAtMost,
} from '#kernel';
import { createMailOutbox } from '#mail';
import { createMediaAccess, createObtainer, createUploads, keepForActiveNumbers, mediaRoutes } from '#media';
import { type AcceptContext, messagesRoutes } from '#messages';
import type { NetworkDriver } from '#network';
import { createLog, createMetrics, type Log, logFailureWarnings, opsRoutes } from '#ops';
import { createPortal } from '#portal';
import { presenceRoutes } from '#presence';
import { createRequestLog } from '#request-log';
import { countSessions, createSessions, findByUsername } from '#sessions';
import type { Store } from '#store';
import { createThroughput, throughputRoutes } from '#throughput';
import { createDeliveries, webhooksRoutes } from '#webhooks';
import manifest from '../package.json' with { type: 'json' };
import { createEventSink, nothingAside } from './hosting/event-sink.ts';
import { howManyThreads } from './hosting/how-many-threads.ts';
import { createLedClock } from './hosting/led-clock.ts';
import { openCommon } from './hosting/open-common.ts';
import { openHosting } from './hosting/open-hosting.ts';
import { openTracing } from './hosting/open-tracing.ts';
import { openBus } from './open-bus.ts';
import { openHttp } from './open-http.ts';
import { openKeeping } from './open-keeping.ts';
import { openMail } from './open-mail.ts';
import { loadNetworkAhead, openNetwork } from './open-network.ts';
import { registerFigures } from './register-figures.ts';
import { startUpkeep } from './start-upkeep.ts';

/** A whole gateway, ready to listen. Whoever made it closes it. */
export interface App {
  readonly http: FastifyInstance;
  readonly store: Store;
  readonly log: Log;
  readonly accounts: AccountsContext;
  /** The virtual network, where it runs inside this process. */
  readonly sandbox: Sandbox | undefined;
  /** Stops taking requests, finishes those under way, then closes everything underneath. Idempotent. */
  close(): Promise<void>;
}

/** What a test may put in place of the machine's own. */
export interface Dependencies {
  /** The gateway's sense of time. */
  readonly clock?: TravelClock;
  /** What processes, sockets and the database are measured by; the sandbox's time travel must not reach them. */
  readonly machineClock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  /** In place of the one that speaks to the network of the configuration. */
  readonly driver?: NetworkDriver;
}

const VERSION: string = manifest.version;
const HAND_OVER_AFTER_MS = 1_000;

/** The composition root: the one place that names concrete stores, buses and drivers. */
export async function createApp(config: Config, dependencies: Dependencies = {}): Promise<App> {
  const {
    machineClock = createSystemClock(),
    random = systemRandom,
    log = createLog(config.logLevel),
  } = dependencies;
  const clock = createLedClock(dependencies.clock ?? createSystemClock(), machineClock);
  // Closes in reverse what was opened so far, also when the rest cannot be.
  await using opened = new AsyncDisposableStack();
  const warnings = logFailureWarnings(log);
  opened.defer(() => warnings.stop());

  const production = config.mode === 'production';
  const secure = config.publicUrl?.startsWith('https:') ?? production;
  const metrics = createMetrics();
  const keeping = openKeeping(
    config,
    { clock, machineClock, random, log, onCommit: metrics.work.committed },
    opened,
  );
  loadNetworkAhead(config);
  const { store, sealedBox, keys: boxKeys } = await keeping;
  const throughput = createThroughput({ store, clock });
  const work = throughput.watch(metrics.work);
  log.info({ version: VERSION, node: process.version }, 'starting');
  log.debug({ settings: settingsOf(config) }, 'settings');
  let serverClosed: Promise<void> | undefined;
  opened.defer(() => serverClosed);
  const tracing = { version: VERSION, store, clock, machineClock, log, tidies: true };
  const { traces, traced } = await openTracing(config, tracing, opened);
  const plainBus = await openBus(config, { clock: machineClock, random, log });
  opened.defer(() => plainBus.close());
  const bus = traced(plainBus);
  const publicUrl = (): string | undefined => {
    if (config.publicUrl !== undefined || production) return config.publicUrl;
    return http.server.listening ? http.listeningOrigin : undefined;
  };
  // What a test puts in place of the network or the time cannot cross to another thread.
  const isInTest = dependencies.driver || dependencies.clock;
  const threads = isInTest
    ? 0
    : await howManyThreads(config, {
        database: store.dialect,
        countNumbers: () => countSessions(store.read),
      });
  const deliveriesAreTold = store.dialect === 'sqlite' && threads === 0;
  const common = openCommon(
    config,
    {
      ...{ store, bus, sealedBox, clock, machineClock, random, log, publicUrl },
      ...{ passage: config.dataDir, deliveriesAreTold },
    },
    opened,
  );
  const { ids, egress, directory, events, follower, histories, actions, book, dataKeys: keys } = common;
  const { blobs, library, links } = common.media;
  const keyUses = recordKeyUses({ store, clock, directory, log });
  opened.defer(() => keyUses.stop());
  const counting = throughput.start({ clock: machineClock, log });
  opened.defer(() => counting.stop());
  const requestLog = createRequestLog({ store, clock, machineClock, log });
  opened.defer(() => requestLog.stop());
  const feed = createFeed({ store, readPayloads: createPayloadReader({ store, sealedBox, log }) });
  const live = createLiveFeed({ feed, bus, clock: machineClock });
  const learnNews = () => directory.learnNews();
  const streams = createEventStreams({ feed, live, bus, clock: machineClock, learnNews });

  const { endpoint, sandbox, phones } = await openNetwork(
    config,
    { clock, machineClock, random, egress, log },
    opened,
  );
  const urlRules = { httpsOnly: production, publicOnly: production };
  const planOf = async (accountId: string, phone: string) =>
    (await directory.ownedNumber(accountId, phone))?.plan;
  const webhooks = { store, bus, clock, ids, random, sealedBox, planOf, urlRules };
  const mail =
    config.mailUrl === undefined ? undefined : createMailOutbox({ clock: machineClock, ids, sealedBox });
  const accounts = {
    ...{ store, clock, machineClock, ids, random, sealedBox },
    mail: mail && { outbox: mail, origin: () => publicUrl() },
  };
  const billing = { ...accounts, urlRules, notices: createNoticeBell() };
  const compat = createCompat({
    ...{ store, clock, machineClock, random, sealedBox, bus, webhooks, accounts, version: VERSION },
    publicUrl: () => publicUrl(),
    served: config.compat,
    base64MaxBytes: config.compatBase64MaxMb * 1024 * 1024,
    egress,
    ownedNumber: (accountId, phone) => directory.ownedNumber(accountId, phone),
    media: {
      find: (owner, id) => access.find(owner, id),
      obtain: (owner, id, signal) => access.obtain(owner, id, signal),
      read: (file, signal) => access.read(file, signal),
      forget: (owner, id) => access.forget(owner, id),
    },
  });
  opened.defer(() => compat.stop());
  const deliveries = createDeliveries({
    ...{ ...webhooks, egress, machineClock, log },
    formats: compat.formats,
    figures: work,
    traces,
    areTold: deliveriesAreTold,
  });
  opened.defer(() => deliveries.stop());
  const hosting = await openHosting(
    config,
    {
      ...{ common, plainBus, endpoint, keys: boxKeys, traces, work, clock, version: VERSION },
      driver: dependencies.driver,
      threads,
    },
    opened,
  );
  const sessions = createSessions({
    ...{ store, bus, events, clock, machineClock, random, ids, sealedBox, log, worker: hosting.worker },
    mayLink: async (accountId) => (await directory.ownerOf(accountId))?.blocked === null,
  });
  opened.defer(() => sessions.close());
  const obtain = createObtainer({
    library,
    callSession: sessions.callSession,
    action: actions.files.fetchMedia,
    ownedNumber: (accountId, phone) => directory.ownedNumber(accountId, phone),
    machineClock,
  });
  const brought = keepForActiveNumbers(library, directory.hasActiveNumber);
  const access = createMediaAccess({ library: brought, obtain });

  const parts = [
    { name: 'store', check: () => store.check() },
    { name: 'bus', check: () => bus.check() },
    ...(config.roles.has('worker') ? [{ name: 'worker', check: () => hosting.check() }] : []),
  ];
  const defaults = { dailyNewChats: config.newChatsPerDay };
  const health = { store, clock, defaults };
  const pacing = { ...defaults, ...createSendWatch({ follower, clock }) };
  const { heldBack } = pacing;
  const figures = { store, clock, machineClock, deliveries, hosting, heldBack };
  registerFigures(metrics, config.roles, figures);
  const states = sessions.states;
  const sends: AcceptContext = {
    store,
    bus,
    clock,
    ids,
    sealedBox,
    sessions: states,
    terms: directory,
    pacing,
    media: access,
    onAccepted: work.accepted,
    traces,
    addressOf: async (number, username) =>
      (await findByUsername(sessions.callSession, number, username)).chat,
  };
  const history = {
    ...{ store, bus, clock, ids, keys, histories, links },
    maxBytes: config.historyMbPerNumber * 1024 * 1024,
    nameOf: createChatNames(sessions.callSession),
  };
  const life = { ...accounts, billing, linking: sessions.linking, events, webhooks, history };
  const exports = { ...life, library, dataKeys: keys };
  const portal = createPortal({
    ...{ life, exports },
    store,
    clock,
    machineClock,
    accounts,
    billing,
    directory,
    states: sessions.states,
    health,
    history,
    linking: sessions.linking,
    ownerLinks: sessions.ownerLinks,
    webhooks,
    sends,
    signUpIsOpen: config.signUp === 'open',
    operatorToken: config.operatorToken,
    secure,
    askSandbox: production ? undefined : phones?.visit,
  });
  const { metricsToken = production ? config.operatorToken : 'open' } = config;
  const routes = [
    ...accountsRoutes(accounts),
    ...accountLifeRoutes(life),
    ...billingRoutes(billing),
    ...sessions.routes,
    ...healthRoutes(health),
    ...messagesRoutes(sends),
    ...mediaRoutes({
      ...{ library, access, obtain, links },
      blocked: async (accountId) => (await directory.ownerOf(accountId))?.blocked ?? null,
      takeUpload: createUploads({ library: brought, machineClock }),
    }),
    ...groupsRoutes({ ...sessions, actions: actions.groups, media: access }),
    ...contactsRoutes({ ...sessions, actions: actions.contacts, media: access }),
    ...chatsRoutes({ ...sessions, book, nameOf: history.nameOf }),
    ...historyRoutes(history),
    ...channelsRoutes({ ...sessions, actions: actions.channels, media: access }),
    ...callsRoutes(sessions),
    ...presenceRoutes(sessions),
    ...webhooksRoutes(webhooks),
    ...eventsRoutes({ feed, streams, gatekeeper: directory }),
    ...quarantineRoutes({ store, clock, sealedBox, tell: createEventSink(common, work, nothingAside) }),
    ...throughputRoutes({ store, clock }),
    ...portal.routes,
    ...opsRoutes({ parts, metrics, clock, metricsToken }),
  ];
  const http: FastifyInstance = openHttp(config, {
    ...{ portal, compat, metrics, requestLog, clock, ids, log, secure, traces },
    routes,
    gatekeeper: directory,
    version: VERSION,
  });
  phones?.mount(http);
  http.server.once('listening', () => hosting.tellPublicUrl?.(publicUrl()));
  opened.defer(() => {
    serverClosed = closeServer(http, machineClock);
    // Requests are finished, but sessions do not wait for slow ones: somebody else is to host them soon.
    return waitAtMost(machineClock, HAND_OVER_AFTER_MS, serverClosed).then(() => {});
  });
  opened.defer(() => streams.close());
  opened.defer(() => portal.close());

  // Before numbers log in, which takes the same thread: whoever asks in the first moment is answered first.
  await http.ready();
  await histories.start();
  await hosting.start();
  if (config.roles.has('webhooks')) deliveries.start();
  if (mail && config.roles.has('portal'))
    openMail(config, { ...accounts, outbox: mail, webhooks, log }, opened);
  startUpkeep(
    config.roles,
    { store, events, blobs, history, billing, life: { ...exports, blobs }, egress, clock, machineClock, log },
    opened,
  );

  const running = opened.move();
  let closing: Promise<void> | undefined;
  async function stop(): Promise<void> {
    log.info({}, 'stopping');
    await running.disposeAsync();
    log.info({}, 'stopped');
  }
  return {
    http,
    store,
    log,
    accounts,
    sandbox,
    close: () => {
      closing ??= stop();
      return closing;
    },
  };
}

/** By name, secrets masked. */
function settingsOf(config: Config): Record<string, string> {
  return Object.fromEntries(describeConfig(config).map(({ name, value }) => [name, value]));
}
