import type { AnyCommand, AnyReading, CommandModule, ReadingModule } from './types.ts';

/** Imports the modules and finds each command by its name, which only one of them may use. */
export function loadCommands(modules: readonly string[]): Promise<Map<string, AnyCommand>> {
  return loadByName('commands', modules, ({ commands }: CommandModule) => commands);
}

/** The same for readings. */
export function loadReadings(modules: readonly string[]): Promise<Map<string, AnyReading>> {
  return loadByName('readings', modules, ({ readings }: ReadingModule) => readings);
}

async function loadByName<Module, Named extends { readonly name: string }>(
  what: string,
  modules: readonly string[],
  listOf: (module: Module) => readonly Named[],
): Promise<Map<string, Named>> {
  const byName = new Map<string, Named>();
  for (const url of modules) {
    for (const named of listOf(await import(url))) {
      if (byName.has(named.name)) throw new TypeError(`Two ${what} are called ${named.name}.`);
      byName.set(named.name, named);
    }
  }
  return byName;
}
