export { expireAllWorkerLeases, expireWorkerLease } from './hosting/host.ts';
export { countSessions } from './hosting/hosting-queries.ts';
export { LEASE_MS } from './hosting/lease.ts';
export { createWorker, type Worker } from './hosting/worker.ts';
export type { LoginPasskeys } from './pairing/login-passkey.ts';
export type { OwnerLinks } from './pairing/owner-links.ts';
export { contextOfAnswer, contextOfShown } from './pairing/sealed.ts';
export { adoptSession } from './session-queries.ts';
export { createSessions, type Linking, type Sessions } from './sessions.ts';
export { sessionsByState } from './states.ts';
export { reasonView } from './status.ts';
export type {
  AutoReject,
  GetHost,
  HostAction,
  HostedSession,
  HostedSessions,
  SessionOverview,
  SessionState,
  SessionStates,
} from './types.ts';
export { findByUsername, lookUpUsername } from './usernames.ts';
