import type { Onboarding, PasskeyCredential, PresencePolicy } from '@parley/contract';
import type { Actor } from '#accounts';
import { apiError } from '#kernel';
import type { Caller, OwnedNumber, Route } from '#platform/http';
import { endSession } from './ending/end-session.ts';
import {
  askHost,
  nothingHosted,
  setAutoRejectAtHost,
  type Worker,
  type WorkerParts,
} from './hosting/worker.ts';
import { createLoginPasskeys, type LoginPasskeys } from './pairing/login-passkey.ts';
import {
  type Asker,
  answerOnboarding,
  cancelOnboarding,
  cancelOpenOnboarding,
  confirmOnboarding,
  type OnboardContext,
  pollOnboarding,
  startOnboarding,
} from './pairing/onboard.ts';
import { createOwnerLinks, type OwnerLinks, type OwnerLinksContext } from './pairing/owner-links.ts';
import { createPairingSecrets } from './pairing/sealed.ts';
import { choosePresence, presencePolicyOf } from './presence-policy.ts';
import { sessionsRoutes } from './routes.ts';
import { findSession } from './session-queries.ts';
import { createRemoteHosts } from './session-rpc.ts';
import { createSessionStates } from './states.ts';
import { isOnline, observedStatusOf } from './status.ts';
import type { AutoReject, GetHost, HostedSessions, SessionOverview } from './types.ts';

/** The whole room. */
export interface Sessions {
  readonly routes: readonly Route[];
  readonly hosted: HostedSessions;
  readonly states: SessionOverview;
  readonly getHost: GetHost;
  readonly autoReject: AutoReject;
  readonly linking: Linking;
  readonly logins: LoginPasskeys;
  readonly ownerLinks: OwnerLinks;
  close(): void;
}

/** Linking, unlinking and presence of a number, for every surface that offers them. */
export interface Linking {
  start(
    caller: Caller,
    slotId: string,
    method: 'qr' | 'code',
  ): Promise<Pick<Onboarding, 'onboard_id' | 'status'>>;
  poll(asker: Asker, onboardingId: string): Promise<Onboarding>;
  answer(asker: Asker, onboardingId: string, credential: PasskeyCredential): Promise<Onboarding>;
  confirm(asker: Asker, onboardingId: string): Promise<Onboarding>;
  cancel(asker: Asker, onboardingId: string): Promise<void>;
  /** Ends pairing attempts as well. */
  endAll(number: OwnedNumber): Promise<void>;
  end(number: OwnedNumber, by: Actor | undefined): Promise<void>;
  /** Undefined when the number is not linked. */
  presencePolicy(number: OwnedNumber): Promise<PresencePolicy | undefined>;
  choosePresence(number: OwnedNumber, policy: PresencePolicy): Promise<void>;
}

export interface SessionsParts
  extends Pick<
      WorkerParts,
      'store' | 'bus' | 'clock' | 'machineClock' | 'random' | 'sealedBox' | 'log' | 'events'
    >,
    Pick<OnboardContext, 'ids'>,
    Pick<OwnerLinksContext, 'mayLink'> {
  /** Undefined: this process serves requests about sessions that others host. */
  readonly worker: Worker | undefined;
}

export function createSessions(given: SessionsParts): Sessions {
  const parts = { ...given, secrets: createPairingSecrets(given.sealedBox) };
  const { worker } = parts;
  const hosted = worker?.hosted ?? nothingHosted;
  const getHost = createRemoteHosts({
    ...parts,
    async changesHands(slotId) {
      const row = await findSession(parts.store.read, slotId);
      const moment = { now: parts.clock.now(), machineNow: parts.machineClock.now() };
      return row !== undefined && isOnline(observedStatusOf(row, moment));
    },
  });
  const states = createSessionStates({
    ...parts,
    hosted,
    connectedSince: (slotId) => worker?.connectedSince(slotId),
  });

  const logins = createLoginPasskeys(getHost);
  const context = { ...parts, getHost, logins };

  async function requireRow({ slotId }: OwnedNumber) {
    const row = await findSession(parts.store.read, slotId);
    if (!row) throw apiError('session_not_hosted');
    return row;
  }

  return {
    routes: sessionsRoutes(context),
    hosted,
    states,
    getHost,
    autoReject: {
      async read(number) {
        await getHost(number).run(askHost, null);
        const row = await requireRow(number);
        return { sessionId: row.session_id, enabled: row.auto_reject === 1 };
      },
      async set(number, enabled) {
        await getHost(number).run(setAutoRejectAtHost, { enabled });
        return { sessionId: (await requireRow(number)).session_id };
      },
    },
    linking: {
      start: (caller, slotId, method) => startOnboarding(context, caller, slotId, method),
      poll: (asker, id) => pollOnboarding(context, asker, id),
      answer: (asker, id, credential) => answerOnboarding(context, asker, id, credential),
      confirm: (asker, id) => confirmOnboarding(context, asker, id),
      cancel: (asker, id) => cancelOnboarding(context, asker, id),
      async endAll(number) {
        await cancelOpenOnboarding(context, number.slotId);
        await endSession(context, number);
      },
      end: (number, by) => endSession(context, number, { by }),
      presencePolicy: ({ slotId }) => presencePolicyOf(context, slotId),
      async choosePresence({ slotId }, policy) {
        await choosePresence(context, slotId, policy);
      },
    },
    logins,
    ownerLinks: createOwnerLinks({ ...parts, logins }),
    close: () => states.close(),
  };
}
