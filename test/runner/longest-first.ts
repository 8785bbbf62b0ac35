import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that run much longer than their size suggests, which is the only hint in a fresh checkout: whole suites behind a few lines. */
const LONGEST = [
  'network/whatsapp/conformance.test.ts',
  'network/whatsapp/worlds/by-number.test.ts',
  'network/whatsapp/worlds/by-turns.test.ts',
  'network/whatsapp/worlds/hostile-hour.test.ts',
  'platform/store/postgres.test.ts',
  'http/fuzz.test.ts',
  'sessions/pairing/passkey.test.ts',
  'network/whatsapp/link/broken-connection.test.ts',
  'platform/store/sqlite.test.ts',
  'conformance/limits.test.ts',
  'conformance/sessions-over-time.test.ts',
  'conformance/sessions-over-restart.test.ts',
  'cluster/ownership.test.ts',
  'conformance/actions.test.ts',
  'conformance/health-signals.test.ts',
  'cluster/roles.test.ts',
  'conformance/shared-sandbox.test.ts',
];

/** Starts the longest files first, so that no worker is left with one at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
