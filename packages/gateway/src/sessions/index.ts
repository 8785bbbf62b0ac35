export { adoptSession } from './adopt.ts';
export { sessionsByState } from './figures.ts';
export { buryAllWorkers, buryWorker } from './hosting/bury.ts';
export { LEASE_MS } from './hosting/lease.ts';
export { countSessions } from './hosting/store.ts';
export { createWorker, type Worker } from './hosting/worker.ts';
export type { OwnerLinks } from './pairing/owner-links.ts';
export { contextOfAnswer, contextOfShown } from './pairing/sealed.ts';
export { createSessions, type Linking } from './sessions.ts';
export { whyView } from './status.ts';
export type {
  AutoReject,
  CallSession,
  HostAction,
  HostedSession,
  HostedSessions,
  SessionOverview,
  SessionState,
  SessionStates,
} from './types.ts';
export { findByUsername, lookUpUsername } from './usernames.ts';
