import type { CallSession, SessionStates } from '#sessions';

/** What every room of actions needs of the sessions. */
export interface ActionContext {
  readonly callSession: CallSession;
  readonly states: SessionStates;
}
