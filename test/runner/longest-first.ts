import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that run much longer than their size says, which is all that a fresh checkout has to go by: whole suites behind a few lines. */
const LONGEST = [
  'network/whatsapp/conformance.test.ts',
  'network/whatsapp/worlds/by-number.test.ts',
  'network/whatsapp/worlds/by-turns.test.ts',
  'network/whatsapp/worlds/hostile-hour.test.ts',
  'store/postgres.test.ts',
  'http/fuzz.test.ts',
  'sessions/pairing/passkey.test.ts',
  'network/whatsapp/link/broken-connection.test.ts',
  'store/sqlite.test.ts',
  'conformance/limits.test.ts',
  'conformance/sessions-over-time.test.ts',
  'cluster/ownership.test.ts',
  'conformance/actions.test.ts',
  'conformance/health-signals.test.ts',
  'cluster/roles.test.ts',
  'conformance/shared-sandbox.test.ts',
];

/** Begins with what takes longest, so that no worker is left alone with it in the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
