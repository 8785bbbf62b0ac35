import type { Config } from '../../config/config.ts';

/** One thing that the gateway depends on. Answers what it has found, or throws what is wrong, in one sentence each. */
export interface Check {
  readonly name: string;
  run(config: Config): Promise<string>;
}

/** What is wrong and no bug. */
export class CheckFailure extends Error {
  override readonly name = 'Ailment';
}

export function inMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
