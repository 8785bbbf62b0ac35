import type { Terminal } from './terminal.ts';

/** What is known about a command without loading it: all that parsing, help, completion and documentation need. */
export interface CommandSpec {
  /** The words that call it: `send`, `account create`. */
  readonly name: string;
  /** One line: what it does. */
  readonly help: string;
  readonly arguments?: readonly Argument[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Which interface it calls: that decides which credential it takes. */
  readonly talksTo?: 'account' | 'operator';
  /** Lines to paste. */
  readonly examples?: readonly string[];
}

interface Argument {
  readonly name: string;
  readonly help: string;
  readonly optional?: true;
  readonly choices?: readonly string[];
}

export interface Option {
  readonly help: string;
  /** What stands for its value in help; without one it is a switch. */
  readonly takes?: string;
  readonly choices?: readonly string[];
  /** May be given several times. */
  readonly multiple?: true;
}

type ValueOf<O> = O extends { takes: string } ? (O extends { multiple: true } ? string[] : string) : boolean;
type NamesOf<A> = A extends { name: infer N extends string } ? N : never;
type ArgumentsOf<S> = S extends { arguments: readonly (infer A)[] }
  ? { readonly [E in A as NamesOf<E>]: E extends { optional: true } ? string | undefined : string }
  : Record<never, never>;
type OptionsOf<S> = S extends { options: infer O }
  ? { readonly [K in keyof O]?: ValueOf<O[K]> }
  : Record<never, never>;

/** What a command gets: the words behind it, parsed by its spec, and where to speak. */
export interface Input<S extends CommandSpec = CommandSpec> {
  readonly args: ArgumentsOf<S>;
  readonly options: OptionsOf<S>;
  readonly connection: ConnectionOptions;
  readonly terminal: Terminal;
}

/** Options of every command that talks to a running gateway. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly key?: string;
  readonly token?: string;
}

export type Run<S extends CommandSpec> = (input: Input<S>) => Promise<void>;

/** One sentence for the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
