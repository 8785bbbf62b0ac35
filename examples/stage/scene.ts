import type { Person } from './people.ts';
import type { Program } from './program.ts';

/** What happens around an example while it is shown: virtual people write to it, and look at what it answers. */
export interface Scene {
  /** What the program prints when it is ready; its first line unless told. */
  readonly begins?: string;
  /** Variables that the program needs beside the address of the gateway and its key. */
  settings?(): Promise<Record<string, string>>;
  /** Fails when the example does not do what it promises. */
  play(stage: Stage): Promise<void>;
}

export interface Stage {
  readonly ada: Person;
  readonly ben: Person;
  /** Whose number it is, with the phone in the hand. */
  readonly owner: Person;
  /** The phone number that the example uses. */
  readonly number: string;
  readonly program: Program;
}
