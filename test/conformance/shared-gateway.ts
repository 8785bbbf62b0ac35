import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { type Gateway, gatewayAt, startGateway } from './gateway.ts';

declare module 'vitest' {
  interface ProvidedContext {
    gatewayUrls: readonly string[];
  }
}

/** Started once for all test files that neither move the clock nor restart it: each works with numbers of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const gateway = await startGateway({ PARLEY_COMPAT: 'evolution,cloud' }, 3);
  await gateway.sandbox('PUT', '/rules', { few_keys: true });
  project.provide('gatewayUrls', gateway.urls);
  return () => gateway.stop();
}

export function sharedGateway(): Gateway {
  return gatewayAt(inject('gatewayUrls'));
}
