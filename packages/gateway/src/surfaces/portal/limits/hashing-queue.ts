import { apiError } from '#kernel';

/** Origin of a password hash. */
export interface Turn {
  /** Networks of the client, narrowest first; or the signed-in member. */
  readonly from: readonly [narrow: string, ...wider: string[]];
  /** Whether the browser is signed in, or has been used by the owner before. */
  readonly isKnown: boolean;
}

export interface HashingQueue {
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
}

/** A password hash takes a fraction of a second and 128 MB. */
const AT_ONCE = 2;
/** Queue limits: for strangers and for known browsers, per network, and per wider network around it. */
const IN_LINE_MAX = { strangers: 40, known: 20 };
const FROM_ONE_NETWORK_MAX = 4;
const FROM_WIDER_NETWORK_MAX = 12;
/** Known browsers go first, but a waiting stranger follows after this many of them. */
const KNOWN_IN_A_ROW = 3;
const COME_BACK_SECONDS = 5;

/** Limits expensive work that strangers can trigger. Each network has a fair share, so that no network blocks the others. */
export function createHashingQueue(): HashingQueue {
  const known = createLine(IN_LINE_MAX.known);
  const strangers = createLine(IN_LINE_MAX.strangers);
  let running = 0;
  let knownInARow = 0;

  function next(): (() => void) | undefined {
    const strangersTurn = knownInARow >= KNOWN_IN_A_ROW && strangers.length > 0;
    const start = strangersTurn ? undefined : known.take();
    knownInARow = start ? knownInARow + 1 : 0;
    return start ?? strangers.take();
  }

  return {
    async run({ from, isKnown }, work) {
      if (running < AT_ONCE) running += 1;
      else
        await new Promise<void>((start, refuse) => {
          (isKnown ? known : strangers).add(from, { start, refuse });
        });
      try {
        return await work();
      } finally {
        // Hands the slot to the next waiting call, so that no later call takes it first.
        const start = next();
        if (start) start();
        else running -= 1;
      }
    },
  };
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

interface Network {
  length: number;
  readonly lines: Map<string, Waiting[]>;
}

/** Waiting calls, one queue per network. The widest networks take turns, and so do the narrow ones inside each. */
function createLine(max: number) {
  const networks = new Map<string, Network>();
  let length = 0;

  function remove(wide: string, narrow: string, which: 'first' | 'last'): Waiting | undefined {
    const network = networks.get(wide);
    const line = network?.lines.get(narrow);
    const waiting = which === 'first' ? line?.shift() : line?.pop();
    if (!network || !line || !waiting) return undefined;
    length -= 1;
    network.length -= 1;
    if (line.length === 0) network.lines.delete(narrow);
    if (network.length === 0) networks.delete(wide);
    return waiting;
  }

  /** Evicts the last call of the network with the most calls, in favour of a network with fewer; false where none has more. */
  function makeRoom(own: number): boolean {
    const [wide, network] = longest(networks, (each) => each.length) ?? [];
    if (wide === undefined || !network || network.length <= own + 1) return false;
    const [narrow = ''] = longest(network.lines, (each) => each.length) ?? [];
    remove(wide, narrow, 'last')?.refuse(apiError('sign_in_busy'));
    return true;
  }

  return {
    get length() {
      return length;
    },
    add(from: Turn['from'], waiting: Waiting): void {
      const narrow = from[0];
      const wide = from.at(-1) ?? narrow;
      const network = networks.get(wide) ?? { length: 0, lines: new Map<string, Waiting[]>() };
      const line = network.lines.get(narrow) ?? [];
      if (line.length >= FROM_ONE_NETWORK_MAX || network.length >= FROM_WIDER_NETWORK_MAX) {
        waiting.refuse(apiError('sign_in_too_often', { retryAfterSeconds: COME_BACK_SECONDS }));
        return;
      }
      if (length >= max && !makeRoom(network.length)) {
        waiting.refuse(apiError('sign_in_busy'));
        return;
      }
      line.push(waiting);
      network.lines.set(narrow, line);
      network.length += 1;
      networks.set(wide, network);
      length += 1;
    },
    /** Removes the next call and moves its networks to the end. */
    take(): (() => void) | undefined {
      const [wide, network] = first(networks) ?? [];
      const [narrow, line] = first(network?.lines) ?? [];
      if (wide === undefined || !network || narrow === undefined || !line) return undefined;
      const waiting = remove(wide, narrow, 'first');
      if (networks.delete(wide)) networks.set(wide, network);
      if (network.lines.delete(narrow)) network.lines.set(narrow, line);
      return waiting?.start;
    },
  };
}

function first<V>(map: ReadonlyMap<string, V> | undefined): [string, V] | undefined {
  return map?.entries().next().value;
}

function longest<V>(map: ReadonlyMap<string, V>, lengthOf: (value: V) => number): [string, V] | undefined {
  let found: [string, V] | undefined;
  for (const entry of map) if (!found || lengthOf(entry[1]) > lengthOf(found[1])) found = entry;
  return found;
}
