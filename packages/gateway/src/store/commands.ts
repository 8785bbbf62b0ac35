import type { AnyCommand, CommandModule } from './types.ts';

/** Imports the modules and finds each command by its name, which only one of them may use. */
export async function loadCommands(modules: readonly string[]): Promise<Map<string, AnyCommand>> {
  const byName = new Map<string, AnyCommand>();
  for (const url of modules) {
    const { commands }: CommandModule = await import(url);
    for (const command of commands) {
      if (byName.has(command.name)) throw new TypeError(`Two commands are called ${command.name}.`);
      byName.set(command.name, command);
    }
  }
  return byName;
}
