import { ConfigError, SETTINGS } from './config.ts';

/** Each command loads what it needs and nothing else. */
const COMMANDS = new Map<string, { readonly help: string; run(): Promise<void> }>([
  [
    'start',
    {
      help: 'run the gateway (the default)',
      run: async () => (await import('./commands/start.ts')).start(),
    },
  ],
  [
    'doctor',
    {
      help: 'print the configuration and check everything that the gateway depends on',
      run: async () => (await import('./commands/doctor.ts')).doctor(),
    },
  ],
  [
    'sandbox',
    {
      help: 'run the network of virtual phones by itself, for several gateways to share',
      run: async () => (await import('./commands/sandbox.ts')).sandbox(),
    },
  ],
  ['help', { help: 'show this text', run: async () => void process.stdout.write(usage()) }],
]);

const [name = 'start'] = process.argv.slice(2);
const command = COMMANDS.get(name === '--help' || name === '-h' ? 'help' : name);

try {
  if (command) await command.run();
  else fail(`parley has no command "${name}"; try parley help`);
} catch (error) {
  if (await isForTheOperator(error)) fail((error as Error).message);
  else throw error;
}

/** Errors whose text tells whoever starts the gateway what to do; all others are bugs and show their stack. */
async function isForTheOperator(error: unknown): Promise<boolean> {
  const [{ StoreError }, { BusUnreachable }] = await Promise.all([
    import('./store/index.ts'),
    import('./bus/index.ts'),
  ]);
  return [ConfigError, StoreError, BusUnreachable].some((kind) => error instanceof kind);
}

function fail(message: string): void {
  process.stderr.write(`parley: ${message}\n`);
  process.exitCode = 1;
}

function usage(): string {
  const commands = [...COMMANDS].map(([each, { help }]) => `  ${each.padEnd(10)}${help}`);
  const settings = Object.values(SETTINGS).map(
    (setting) =>
      `  ${setting.name}\n      ${setting.meaning}; takes ${setting.takes} (default: ${setting.standard})`,
  );
  return ['Usage: parley [command]', '', 'Commands', ...commands, '', 'Environment', ...settings, ''].join(
    '\n',
  );
}
