import { type Log, startWire, type Wire } from './wire/index.ts';
import type { Addressing, Clock, Random, World } from './world/index.ts';
import { createWorld } from './world/index.ts';

export interface SandboxOptions {
  /** Database file of the network; `:memory:` keeps nothing. */
  readonly file: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly host?: string;
  readonly announcedHost?: string | undefined;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  readonly mediaPorts?: readonly number[];
  readonly log?: Log;
  /** Addressing of people who set none. */
  readonly addressing?: Addressing;
  /** Whether messages are refused for their addressing. */
  readonly strictAddressing?: boolean;
}

/** A whole network: its people, and the server that clients connect to. */
export interface Sandbox extends Omit<Wire, 'stop'> {
  readonly world: World;
  stop(): Promise<void>;
}

export async function startSandbox({
  file,
  clock,
  random,
  addressing,
  strictAddressing,
  ...server
}: SandboxOptions): Promise<Sandbox> {
  await using starting = new AsyncDisposableStack();
  const world = createWorld({ file, clock, random, addressing, strictAddressing });
  starting.defer(() => world.close());
  const wire = await startWire({ world, clock, random, ...server });
  starting.defer(() => wire.stop());

  const running = starting.move();
  return {
    ...wire,
    // Not copied: they change with what clients ask by.
    get url() {
      return wire.url;
    },
    get mediaHost() {
      return wire.mediaHost;
    },
    get mediaHosts() {
      return wire.mediaHosts;
    },
    world,
    stop: () => running.disposeAsync(),
  };
}
