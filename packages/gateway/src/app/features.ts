import { createWakeSignal } from '#billing';
import type { Config } from '#config';
import { createEventStreams, createFeed, createLiveFeed, createPayloadReader } from '#events';
import { createSendWatch } from '#health';
import { createMediaAccess, createObtainer, keepForActiveNumbers, type MediaAccess } from '#media';
import type { AcceptContext } from '#messages';
import { createChatNames } from '#operations';
import { createMailOutbox } from '#platform/mail';
import { findByUsername, type Sessions } from '#sessions';
import { type Compat, createCompat, openTemplate } from '#surfaces/compat';
import type { Foundation } from './foundation.ts';
import type { Common } from './hosting/open-common.ts';

export type Contexts = ReturnType<typeof createContexts>;

/** The contexts of accounts, billing and webhooks. */
export function createContexts(config: Config, base: Foundation, { ids, directory, publicUrl }: Common) {
  const { store, bus, clock, machineClock, random, sealedBox } = base;
  const isProduction = config.mode === 'production';
  const urlRules = { httpsOnly: isProduction, publicOnly: isProduction };
  const outbox =
    config.mailUrl === undefined ? undefined : createMailOutbox({ clock: machineClock, ids, sealedBox });
  const accounts = {
    ...{ store, clock, machineClock, ids, random, sealedBox },
    mail: outbox && { outbox, origin: () => publicUrl() },
  };
  const planOf = async (accountId: string, phone: string) =>
    (await directory.ownedNumber(accountId, phone))?.plan;
  return {
    accounts,
    billing: { ...accounts, urlRules, notices: createWakeSignal() },
    webhooks: { store, bus, clock, ids, random, sealedBox, planOf, urlRules },
  };
}

interface Parts extends Contexts {
  readonly base: Foundation;
  readonly common: Common;
  readonly sessions: Sessions;
}

export type Features = ReturnType<typeof createFeatures>;

/** The contexts of media, sends, health, conversations and offboarding. */
export function createFeatures(config: Config, { base, common, sessions, ...contexts }: Parts) {
  const { store, bus, clock, machineClock, sealedBox, traces, work } = base;
  const { ids, directory, events, follower, histories, actions, dataKeys } = common;
  const { library, links } = common.media;
  const { getHost } = sessions;
  const uploads = keepForActiveNumbers(library, directory.hasActiveNumber);
  const obtain = createObtainer({
    ...{ library, getHost, machineClock },
    action: actions.files.fetchMedia,
    ownedNumber: (accountId, phone) => directory.ownedNumber(accountId, phone),
  });
  const media = { uploads, obtain, access: createMediaAccess({ library: uploads, obtain }) };
  const defaults = { dailyNewChats: config.newChatsPerDay };
  const sendWatch = createSendWatch({ follower, clock });
  const sends: AcceptContext = {
    ...{ store, bus, clock, ids, sealedBox, traces },
    sessions: sessions.states,
    terms: directory,
    pacing: { ...defaults, ...sendWatch },
    media: media.access,
    onAccepted: work.accepted,
    addressOf: async (number, username) => (await findByUsername(getHost, number, username)).chat,
  };
  const history = {
    ...{ store, bus, clock, ids, keys: dataKeys, histories, links },
    maxBytes: config.historyMbPerNumber * 1024 * 1024,
    nameOf: createChatNames(getHost),
  };
  const { accounts, billing, webhooks } = contexts;
  const life = { ...accounts, billing, linking: sessions.linking, events, webhooks, history };
  const exports = {
    ...{ ...life, library, dataKeys },
    openTemplate: (accountId: string, sealed: Uint8Array) =>
      JSON.parse(openTemplate(sealedBox, accountId, sealed)),
  };
  const health = { store, clock, defaults };
  return { media, health, heldBack: sendWatch.heldBack, sends, history, life, exports };
}

/** The feed of events and the streams that follow it. */
export function openStreams(base: Foundation, { directory }: Common) {
  const { store, bus, sealedBox, machineClock: clock, log } = base;
  const feed = createFeed({ store, readPayloads: createPayloadReader({ store, sealedBox, log }) });
  const live = createLiveFeed({ feed, bus, clock });
  const learnNews = () => directory.learnNews();
  return { feed, streams: createEventStreams({ feed, live, bus, clock, learnNews }) };
}

interface CompatParts extends Contexts {
  readonly base: Foundation;
  readonly common: Common;
  /** Exists only after the sessions do, whose webhooks need the formats of these interfaces. */
  readonly access: () => MediaAccess;
}

/** The interfaces of other programs. */
export function openCompat(
  config: Config,
  { base, common, webhooks, accounts, access }: CompatParts,
  opened: AsyncDisposableStack,
): Compat {
  const { store, clock, machineClock, random, sealedBox, bus, version } = base;
  const { directory, egress, publicUrl } = common;
  const compat = createCompat({
    ...{ store, clock, machineClock, random, sealedBox, bus, webhooks, accounts, version, publicUrl, egress },
    served: config.compat,
    base64MaxBytes: config.compatBase64MaxMb * 1024 * 1024,
    ownedNumber: (accountId, phone) => directory.ownedNumber(accountId, phone),
    media: {
      find: (owner, id) => access().find(owner, id),
      obtain: (owner, id, signal) => access().obtain(owner, id, signal),
      read: (file, signal) => access().read(file, signal),
      forget: (owner, id) => access().forget(owner, id),
    },
  });
  opened.defer(() => compat.stop());
  return compat;
}
