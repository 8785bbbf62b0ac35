export { createSessions, type Linking, type Sessions, type SessionsParts } from './sessions.ts';
export type {
  ActionHandle,
  AnyHostAction,
  ArgumentsOf,
  AutoReject,
  CallSession,
  HostAction,
  HostedSession,
  HostedSessions,
  NetworkAction,
  NetworkEventSink,
  ResultOf,
  SessionState,
  SessionStates,
} from './types.ts';
