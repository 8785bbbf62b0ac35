import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';

/** Servers that a test may count on, and the variable that tells it where each is. */
export const SERVICE_VARIABLES = {
  postgres: 'PARLEY_TEST_POSTGRES_URL',
  nats: 'PARLEY_TEST_NATS_URL',
} as const;
export type ServiceName = keyof typeof SERVICE_VARIABLES;
export const serviceNames = Object.keys(SERVICE_VARIABLES) as ServiceName[];

export interface Suite {
  readonly name: string;
  /** Where its files are, from the root of the repository. */
  readonly folders: readonly string[];
  /** A configuration of vitest, or a script that exits with 0 when it passed. */
  readonly config?: string;
  readonly script?: string;
  /** What the script is given when nobody says otherwise. */
  readonly args: readonly string[];
  /** Its share of the machine when several run side by side. */
  readonly slots: number;
  /** Run when it is asked for, and not with the others: it takes too long, or fetches too much. */
  readonly apart: boolean;
  readonly services: readonly ServiceName[];
}

type Traits = Partial<Pick<Suite, 'args' | 'slots' | 'apart' | 'services'>>;
const PLAIN = { args: [], slots: 1, apart: false, services: [] } as const;
const BOTH: readonly ServiceName[] = serviceNames;
const CORES = availableParallelism();
/** A suite keeps about half a core busy. With one more, each would wait for longer, and what waits looks again and again. */
export const SLOTS = 2 * CORES - 1;

/**
 * All that `npm test` runs, and what it runs when it is named. If the last line of a script is `N passed, N failed`, each of these counts, otherwise the script counts as one.
 *
 * They run side by side, because most of them wait for much of their time: for processes to start, to die and to come back, for pages, for
 * packages to be fetched. The longest are first, so that none is left over in the end.
 */
export const suites: readonly Suite[] = [
  // Its files run side by side by themselves.
  vitest('unit', 'vitest.config.ts', ['packages', 'tools', 'test/runner'], { slots: CORES, services: BOTH }),
  script('portal', 'test/browser/portal/run.ts'),
  script('cluster', 'test/cluster/run.ts', { services: BOTH }),
  script('process', 'test/process/run.ts', { services: ['postgres'] }),
  vitest('conformance', 'vitest.conformance.config.ts', ['test/conformance', 'test/foreign']),
  script('cluster-chaos', 'test/chaos/cluster/run.ts', { args: ['--rounds', '3'], services: BOTH }),
  script('packaging', 'test/packaging/run.ts'),
  script('docs', 'test/docs/run.ts'),
  script('passkey', 'test/browser/passkey/run.ts'),
  script('reference', 'test/browser/reference/run.ts'),
  script('examples', 'test/examples/run.ts'),
  script('sends', 'test/chaos/sends/run.ts', { args: ['--rounds', '2'], services: ['postgres'] }),
  script('threads', 'test/chaos/threads/run.ts', {
    args: ['--only', 'host-1:hang,store-writer:hang,store-reader:exit'],
  }),
  script('webhooks', 'test/chaos/webhooks/run.ts', { args: ['--rounds', '2'] }),
  script('pacing', 'test/chaos/pacing/run.ts', {
    args: ['--people', '24', '--per-day', '6', '--kills', '3', '--rounds', '2'],
  }),
  script('journal', 'test/chaos/journal/run.ts', { args: ['--rounds', '3'] }),
  script('pairing', 'test/chaos/pairing/run.ts', { args: ['--rounds', '3'] }),
  script('guides', 'test/browser/guides/run.ts'),
  script('move', 'test/scale/move/run.ts', { args: ['--sessions', '4'], services: ['postgres'] }),
  script('soak', 'test/scale/soak/run.ts', { args: ['--hours', '2', '--minutes', '0.2', '--numbers', '2'] }),
  script('sessions', 'test/scale/sessions/run.ts', { args: ['--sessions', '20'] }),
  script('group-commit', 'test/chaos/group-commit/run.ts', {
    args: ['--rounds', '3'],
    services: ['postgres'],
  }),
  script('restart', 'test/chaos/restart/run.ts', { args: ['--rounds', '2'] }),
  script('abuse', 'test/chaos/abuse/run.ts', { args: ['--seconds', '10', '--quiet', '3', '--rounds', '1'] }),
  script('n8n', 'test/compat/n8n/run.ts', { apart: true, services: ['postgres'] }),
  script('operating', 'test/operating/run.ts', { apart: true }),
  script('failover', 'test/chaos/failover/run.ts', { apart: true, services: ['nats'] }),
];

function vitest(name: string, config: string, folders: string[], traits: Traits = {}): Suite {
  return { ...PLAIN, ...traits, name, config, folders };
}

function script(name: string, path: string, traits: Traits = {}): Suite {
  return { ...PLAIN, ...traits, name, script: path, folders: [dirname(path)] };
}
