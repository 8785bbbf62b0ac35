import { Agent } from 'node:https';

export type { Agent } from 'node:https';

/** For a media server whose certificate a private authority signed; only this connection believes it. */
export function agentTrusting(caPem: string): Agent {
  return new Agent({ ca: caPem, keepAlive: false });
}
