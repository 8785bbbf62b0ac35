export type {
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
