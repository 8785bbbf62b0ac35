import { hostname } from 'node:os';
import path from 'node:path';
import type { Sandbox } from '@parley/sandbox';
import type { FastifyInstance } from 'fastify';
import { accountLifeRoutes } from '#account-life';
import {
  type AccountsContext,
  accountsRoutes,
  createDataKeys,
  createDirectory,
  recordKeyUses,
} from '#accounts';
import { billingRoutes, createNoticeBell } from '#billing';
import { callsRoutes } from '#calls';
import { channelsRoutes, createChannelActions } from '#channels';
import { chatsRoutes, createChatNames, nameChat } from '#chats';
import { createCompat } from '#compat';
import { type Config, describeConfig } from '#config';
import { contactsRoutes, createContactActions } from '#contacts';
import { createEgress } from '#egress';
import {
  createEventLog,
  createEventStreams,
  createFeed,
  createLiveFeed,
  createPayloadReader,
  isAskedFor,
} from '#event-log';
import {
  createNetworkEventSink,
  createPastSink,
  createQuarantine,
  eventsRoutes,
  quarantineRoutes,
} from '#events';
import { createGroupActions, groupsRoutes } from '#groups';
import { createHealthFollower, createSendWatch, createTeller, healthRoutes, meetPeople } from '#health';
import { createChatBook, createHistories, historyRoutes } from '#history';
import { closeServer } from '#http';
import {
  type Clock,
  createIds,
  createSystemClock,
  type Random,
  systemRandom,
  type TravelClock,
  waitAtMost,
} from '#kernel';
import { createMailOutbox } from '#mail';
import { createArrivals, createMediaAccess, createObtainer, createUploads, mediaRoutes } from '#media';
import {
  type AcceptContext,
  createReceiptRecorder,
  createSendBudget,
  createSender,
  messagesRoutes,
} from '#messages';
import type { NetworkDriver } from '#network';
import { createLog, createMetrics, type Log, opsRoutes } from '#ops';
import { createPortal } from '#portal';
import { presenceRoutes } from '#presence';
import { createRequestLog } from '#request-log';
import { createSessions, findByUsername } from '#sessions';
import type { Store } from '#store';
import { createDeliveries, webhooksRoutes } from '#webhooks';
import manifest from '../package.json' with { type: 'json' };
import { openBus } from './open-bus.ts';
import { openHttp } from './open-http.ts';
import { openKeeping } from './open-keeping.ts';
import { openMail } from './open-mail.ts';
import { openMedia } from './open-media.ts';
import { openNetwork } from './open-network.ts';
import { openTracing } from './open-tracing.ts';
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
    clock = createSystemClock(),
    machineClock = createSystemClock(),
    random = systemRandom,
    log = createLog(config.logLevel),
  } = dependencies;
  // Closes in reverse what was opened so far, also when the rest cannot be.
  await using opened = new AsyncDisposableStack();

  const production = config.mode === 'production';
  const secure = config.publicUrl?.startsWith('https:') ?? production;
  const ids = createIds({ clock, random });
  const metrics = createMetrics();
  const { work } = metrics;
  const { store, sealedBox } = await openKeeping(
    config,
    { clock, machineClock, random, log, onCommit: work.committed },
    opened,
  );
  log.info({ version: VERSION, node: process.version, settings: settingsOf(config) }, 'starting');
  let serverClosed: Promise<void> | undefined;
  opened.defer(() => serverClosed);
  const tracing = { version: VERSION, store, clock, machineClock, log };
  const { traces, traced } = await openTracing(config, tracing, opened);
  const bus = traced(await openBus(config, { clock: machineClock, random, log }));
  opened.defer(() => bus.close());
  const egress = createEgress({ clock: machineClock, publicOnly: production });
  opened.defer(() => egress.close());
  const directory = createDirectory({ store, clock });
  opened.defer(() => directory.close());
  const keyUses = recordKeyUses({ store, clock, directory, log });
  opened.defer(() => keyUses.stop());
  const requestLog = createRequestLog({ store, clock, machineClock, log });
  opened.defer(() => requestLog.stop());
  const events = createEventLog({ store, bus, sealedBox, clock });
  const feed = createFeed({ store, readPayloads: createPayloadReader({ store, sealedBox, log }) });
  const live = createLiveFeed({ feed, bus, clock: machineClock });
  const learnNews = () => directory.learnNews();
  const streams = createEventStreams({ feed, live, bus, clock: machineClock, learnNews });

  const { driver, sandbox, phones } = await openNetwork(
    config,
    { store, sealedBox, clock, machineClock, random, egress, metrics, log, driver: dependencies.driver },
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
    egress,
    ownedNumber: (accountId, phone) => directory.ownedNumber(accountId, phone),
    media: {
      obtain: (owner, id) => access.obtain(owner, id),
      forget: (owner, id) => access.forget(owner, id),
    },
  });
  opened.defer(() => compat.stop());
  const deliveries = createDeliveries({
    ...{ ...webhooks, egress, machineClock, log },
    formats: compat.formats,
    figures: work,
    traces,
  });
  opened.defer(() => deliveries.stop());
  const quarantine = createQuarantine({ store, sealedBox, clock, log });
  const follower = createHealthFollower({ store, events, clock, log });
  opened.defer(() => follower.stop());
  const teller = createTeller({ store, events, clock });
  const keys = createDataKeys({ store, sealedBox, random, clock });
  const histories = createHistories({ store, bus, keys, clock, log });
  opened.defer(() => histories.stop());
  const book = createChatBook({ store });
  const receipts = createReceiptRecorder({
    ...{ store, clock, sealedBox, histories, events, bus },
    onTried: work.sendTried,
  });
  const budget = createSendBudget({ store, clock, terms: directory });
  const publicUrl = (): string | undefined => {
    if (config.publicUrl !== undefined || production) return config.publicUrl;
    return http.server.listening ? http.listeningOrigin : undefined;
  };
  const { blobs, library, links, fetchMedia, files } = openMedia(
    config,
    { store, dataKeys: keys, clock, machineClock, random, ids, egress, publicUrl },
    opened,
  );
  const groupActions = createGroupActions({ files });
  const contactActions = createContactActions({ files });
  const channelActions = createChannelActions({ files, budget, ids });
  const sessions = createSessions({
    store,
    bus,
    driver,
    events,
    clock,
    machineClock,
    random,
    ids,
    sealedBox,
    log,
    onNetworkEvents: createNetworkEventSink({
      log: teller,
      asked: (slotId, extension) => isAskedFor(store, slotId, extension),
      receipts,
      histories,
      files: createArrivals({ library, links, dataKeys: keys }),
      book,
      quarantine,
      clock: machineClock,
      onReceived: work.received,
    }),
    onPairingEnded: work.paired,
    onStanding: follower.hear,
    onPast: createPastSink({ log: teller, histories, clock, warn: log.warn.bind(log) }),
    onKnownPeople: (hosted, people) => meetPeople(store, hosted.number.slotId, people, clock.now()),
    actions: [
      ...[fetchMedia, nameChat],
      ...[groupActions, contactActions, channelActions].flatMap((actions) => Object.values(actions)),
    ],
    mayLink: async (accountId) => (await directory.ownerOf(accountId))?.blocked === null,
    machine: hostname(),
    alone: config.databaseUrl.startsWith('sqlite:'),
    hosts: config.roles.has('worker'),
  });
  opened.defer(() => sessions.stop());
  const obtain = createObtainer({
    library,
    callSession: sessions.callSession,
    action: fetchMedia,
    ownedNumber: (accountId, phone) => directory.ownedNumber(accountId, phone),
    machineClock,
  });
  const access = createMediaAccess({ library, obtain });
  const media = { egress, library, clock: machineClock, folder: path.join(config.dataDir, 'spool') };
  const { hosted } = sessions;
  const sender = createSender({
    store,
    bus,
    clock,
    random,
    sealedBox,
    histories,
    events,
    hosted,
    media,
    log,
    onTried: work.sendTried,
    traces,
  });
  opened.defer(() => sender.stop());

  const parts = [
    { name: 'store', check: () => store.check() },
    { name: 'bus', check: () => bus.check() },
    ...(config.roles.has('worker') ? [{ name: 'worker', check: () => sessions.check() }] : []),
  ];
  const defaults = { dailyNewChats: config.newChatsPerDay };
  const health = { store, clock, defaults };
  const pacing = { ...defaults, ...createSendWatch({ follower, clock }) };
  const { heldBack } = pacing;
  const figures = { store, clock, machineClock, quarantine, deliveries, sessions, heldBack };
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
      takeUpload: createUploads({ library, machineClock }),
    }),
    ...groupsRoutes({ ...sessions, actions: groupActions, media: access }),
    ...contactsRoutes({ ...sessions, actions: contactActions, media: access }),
    ...chatsRoutes({ ...sessions, book, nameOf: history.nameOf }),
    ...historyRoutes(history),
    ...channelsRoutes({ ...sessions, actions: channelActions, media: access }),
    ...callsRoutes(sessions),
    ...presenceRoutes(sessions),
    ...webhooksRoutes(webhooks),
    ...eventsRoutes({ feed, streams, gatekeeper: directory }),
    ...quarantineRoutes({ store }),
    ...portal.routes,
    ...opsRoutes({ parts, metrics, clock, metricsToken }),
  ];
  const http: FastifyInstance = openHttp(config, {
    ...{ routes, portal, compat, metrics, requestLog, clock, ids, log, secure, traces },
    gatekeeper: directory,
    version: VERSION,
  });
  phones?.mount(http);
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
  await sessions.start();
  if (config.roles.has('worker')) sender.start();
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
