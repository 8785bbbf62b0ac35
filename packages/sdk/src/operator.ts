import { createCall } from './call.ts';
import { type ConnectOptions, connectionOf, platformOf } from './connect.ts';
import * as methods from './generated/operator-methods.ts';
import type { Platform } from './platform.ts';

export type { CallOptions } from './call.ts';
export type { ConnectOptions } from './connect.ts';
export { ParleyError, type ParleyErrorCode } from './errors.ts';
export type * from './generated/operator-types.ts';

export interface OperatorOptions extends ConnectOptions {
  /** The gateway's `PARLEY_OPERATOR_TOKEN`. Required; the type lets an environment variable pass as it is. */
  readonly token: string | undefined;
}

/** Everything that whoever runs the gateway can do, grouped by noun. */
export interface Operator {
  readonly accounts: ReturnType<typeof methods.accounts>;
  readonly members: ReturnType<typeof methods.members>;
  readonly apiKeys: ReturnType<typeof methods.apiKeys>;
  readonly devices: ReturnType<typeof methods.devices>;
  readonly terms: ReturnType<typeof methods.terms>;
  readonly sessions: ReturnType<typeof methods.sessions>;
  readonly workers: ReturnType<typeof methods.workers>;
  readonly billing: ReturnType<typeof methods.billing>;
  readonly invoices: ReturnType<typeof methods.invoices>;
  readonly queues: ReturnType<typeof methods.queues>;
  readonly deadLetters: ReturnType<typeof methods.deadLetters>;
  readonly quarantine: ReturnType<typeof methods.quarantine>;
  readonly throughput: ReturnType<typeof methods.throughput>;
  readonly receivers: ReturnType<typeof methods.receivers>;
  readonly audit: ReturnType<typeof methods.audit>;
}

/** The second argument is for tests, which step the clock themselves. */
export function createOperator(options: OperatorOptions, platform: Platform = platformOf(options)): Operator {
  if (!options.token) throw new TypeError('token is required');
  const call = createCall(connectionOf(options, options.token), platform);
  return {
    accounts: methods.accounts(call),
    members: methods.members(call),
    apiKeys: methods.apiKeys(call),
    devices: methods.devices(call),
    terms: methods.terms(call),
    sessions: methods.sessions(call),
    workers: methods.workers(call),
    billing: methods.billing(call),
    invoices: methods.invoices(call),
    queues: methods.queues(call),
    deadLetters: methods.deadLetters(call),
    quarantine: methods.quarantine(call),
    throughput: methods.throughput(call),
    receivers: methods.receivers(call),
    audit: methods.audit(call),
  };
}
