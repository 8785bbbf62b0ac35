import { runCommand } from './cli/run.ts';
import { neverRejects } from './kernel/concurrency/background.ts';

/** Errors whose text is an instruction for the user; all others are bugs and show their stack. By name, so that none has to be loaded. */
const FOR_THE_OPERATOR: readonly string[] = [
  'CommandError',
  'ConfigError',
  'StoreError',
  'BusUnreachable',
  'SafekeepingError',
];

// Files of every command, from the database to a saved invoice, are for this user alone.
process.umask(0o077);
neverRejects(main());

async function main(): Promise<void> {
  try {
    await runCommand(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Error) || !FOR_THE_OPERATOR.includes(error.name)) throw error;
    process.stderr.write(`parley: ${error.message}\n`);
    process.exitCode = 1;
  }
}
