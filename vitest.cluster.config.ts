import { mergeConfig } from 'vitest/config';
import { isNightly } from './test/runner/nightly.ts';
import conformance from './vitest.conformance.config.ts';

/**
 * Files of the conformance suite with something that can differ where several processes share a database and a bus. Within them the
 * tests tagged `anywhere` are left out: each holds on one process in every run, and its way to the host is that of a test that stays.
 * The nightly run has all of them.
 */
const DIFFERING =
  '{after-restart,connection-events,event-stream,events,groups,health,history,inbound-media,limits,media,message-events,' +
  'pairing,sending,sessions,sessions-over-{restart,time},shared-sandbox,webhooks}';

/** Tests of what only several processes have, and the conformance suite. `test/cluster/run.ts` makes every gateway a cluster. */
export default mergeConfig(
  {
    ...conformance,
    test: { ...conformance.test, include: [`test/conformance/${isNightly ? '**/*' : DIFFERING}.test.ts`] },
  },
  {
    test: {
      include: ['test/cluster/**/*.test.ts'],
      tagsFilter: isNightly ? undefined : ['!anywhere'],
      // Clients, ours among them, judge what is sent, which does not depend on how many processes send it.
      exclude: ['test/conformance/{cloud,evolution}/**', 'test/conformance/sdk*.test.ts'],
      // A test that starts or stops a gateway of its own waits for three processes.
      testTimeout: 180_000,
      hookTimeout: 180_000,
    },
  },
);
