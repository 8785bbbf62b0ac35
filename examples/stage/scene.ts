import type { Person } from './people.ts';
import type { Program } from './program.ts';

/** The counterpart of an example: virtual people write to it, and check its answers. */
export interface Scene {
  /** The line that the program prints when it is ready; its first line by default. */
  readonly begins?: string;
  /** Further variables of the program, besides the gateway's address and key. */
  settings?(): Promise<Record<string, string>>;
  /** Fails when the example does not work as described. */
  play(stage: Stage): Promise<void>;
}

export interface Stage {
  readonly ada: Person;
  readonly ben: Person;
  /** The owner of the number, with their phone. */
  readonly owner: Person;
  /** The phone number that the example uses. */
  readonly number: string;
  readonly program: Program;
}
