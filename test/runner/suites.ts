import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';

/** Servers for tests, and the variable with the address of each. */
export const SERVICE_VARIABLES = {
  postgres: 'PARLEY_TEST_POSTGRES_URL',
  nats: 'PARLEY_TEST_NATS_URL',
} as const;
export type ServiceName = keyof typeof SERVICE_VARIABLES;
export const serviceNames = Object.keys(SERVICE_VARIABLES) as ServiceName[];

export interface Suite {
  readonly name: string;
  /** Folders of its files, from the root of the repository. */
  readonly folders: readonly string[];
  /** A configuration of vitest, or a script with exit code 0 for success. */
  readonly config?: string;
  readonly script?: string;
  /** Default arguments of the script. */
  readonly args: readonly string[];
  /** Its share of the machine beside other suites. */
  readonly slots: number;
  /** Runs on request only: it takes too long, or downloads too much. */
  readonly apart: boolean;
  readonly services: readonly ServiceName[];
}

type Traits = Partial<Pick<Suite, 'args' | 'slots' | 'apart' | 'services'>>;
const PLAIN = { args: [], slots: 1, apart: false, services: [] } as const;
const BOTH: readonly ServiceName[] = serviceNames;
const CORES = availableParallelism();
/** A suite keeps about half a core busy. With one more, each would wait longer, and polling costs. */
export const SLOTS = 2 * CORES - 1;

/**
 * All suites of `npm test`, and those that it runs by name. If the last line of a script is `N passed, N failed`, each of these
 * counts, otherwise the script counts as one.
 *
 * They run in parallel, because most of them mostly wait: for processes to start, to die and to return, for pages, for downloads.
 * The longest are first, so that none is left over in the end.
 */
export const suites: readonly Suite[] = [
  // vitest runs its files in parallel.
  vitest('unit', 'vitest.config.ts', ['packages', 'tools', 'test/runner'], { slots: CORES, services: BOTH }),
  script('portal', 'test/browser/portal/run.ts'),
  script('cluster', 'test/cluster/run.ts', { services: BOTH }),
  script('process', 'test/process/run.ts', { services: ['postgres'] }),
  vitest('conformance', 'vitest.conformance.config.ts', ['test/conformance', 'test/foreign']),
  script('cluster-chaos', 'test/chaos/cluster/run.ts', { args: ['--rounds', '3'], services: BOTH }),
  script('packaging', 'test/packaging/run.ts'),
  script('docs', 'test/docs/run.ts'),
  script('recipes', 'tools/recipes/run.ts'),
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
