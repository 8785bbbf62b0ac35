import type { CommandSpec, Input, Run } from './command.ts';
import * as specs from './specs.ts';

/** A command, and how to load what it does: each loads what it needs and nothing else. */
export interface Command {
  readonly spec: CommandSpec;
  run(input: Input): Promise<void>;
}

function command<S extends CommandSpec>(spec: S, load: () => Promise<Run<S>>): Command {
  // The parser has made the input by this very spec.
  return { spec, run: async (input) => (await load())(input as Input<S>) };
}

/** In the order of the help. */
export const COMMANDS: readonly Command[] = [
  command(specs.START, async () => (await import('./start.ts')).start),
  command(specs.DOCTOR, async () => (await import('./doctor.ts')).doctor),
  command(specs.SANDBOX, async () => (await import('./sandbox.ts')).sandbox),
  command(specs.MIGRATE, async () => (await import('./migrate.ts')).migrate),
  command(specs.MIGRATE_STORE, async () => (await import('./migrate-store.ts')).migrateStore),
  command(specs.ACCOUNT_CREATE, async () => (await import('./client/account.ts')).createAccount),
  command(specs.ACCOUNT_LIST, async () => (await import('./client/account.ts')).listAccounts),
  command(specs.ACCOUNT_SUSPEND, async () => (await import('./client/account.ts')).suspendAccount),
  command(specs.ACCOUNT_ACTIVATE, async () => (await import('./client/account.ts')).activateAccount),
  command(specs.KEY_CREATE, async () => (await import('./client/key.ts')).createKey),
  command(specs.KEY_LIST, async () => (await import('./client/key.ts')).listKeys),
  command(specs.KEY_REVOKE, async () => (await import('./client/key.ts')).revokeKey),
  command(specs.DEVICE_ADD, async () => (await import('./client/device.ts')).addDevice),
  command(specs.DEVICE_LIST, async () => (await import('./client/device.ts')).listDevices),
  command(specs.DEVICE_SET, async () => (await import('./client/device.ts')).setDevice),
  command(specs.SESSION_LIST, async () => (await import('./client/session.ts')).listSessions),
  command(specs.SESSION_DELETE, async () => (await import('./client/session.ts')).deleteSession),
  command(specs.PAIR, async () => (await import('./client/pair.ts')).pair),
  command(specs.SEND, async () => (await import('./client/send.ts')).send),
  command(specs.LISTEN, async () => (await import('./client/listen.ts')).listen),
  command(specs.DELIVERIES_LIST, async () => (await import('./client/deliveries.ts')).listDeliveries),
  command(specs.DELIVERIES_REDELIVER, async () => (await import('./client/deliveries.ts')).redeliver),
  command(specs.MCP, async () => (await import('./mcp/mcp.ts')).mcp),
  command(specs.COMPLETION, async () => {
    const { completion } = await import('./completion.ts');
    return async ({ args, terminal }) => completion(args.shell, COMMANDS, terminal);
  }),
];
