import { createCall } from './call.ts';
import { type ConnectOptions, connectionOf, platformOf } from './connect.ts';
import * as methods from './generated/operator-methods.ts';
import type { Platform } from './platform.ts';

export type { CallOptions } from './call.ts';
export type { ConnectOptions } from './connect.ts';
export { ParleyError, type ParleyErrorCode } from './errors.ts';
export type * from './generated/operator-types.ts';

export interface OperatorOptions extends ConnectOptions {
  /** The gateway's `PARLEY_OPERATOR_TOKEN`. Required; the type accepts an environment variable unchecked. */
  readonly token: string | undefined;
}

/** Operations of the gateway's operator, grouped by noun. */
export interface Operator extends Readonly<ReturnType<typeof methods.all>> {}

/** The second argument is for tests, which step the clock. */
export function createOperator(options: OperatorOptions, platform: Platform = platformOf(options)): Operator {
  if (!options.token) throw new TypeError('token is required');
  return methods.all(createCall(connectionOf(options, options.token), platform));
}
