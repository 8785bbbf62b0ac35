/**
 * libsignal prints whole sessions, private keys included, to the console. Its calls are dropped by their place in the stack, so that
 * everything that anybody else prints still comes out.
 */
export function silenceLibsignal(): void {
  if (silenced) return;
  silenced = true;
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    // biome-ignore lint/suspicious/noConsole: this is the guard of the console itself.
    const print = console[method].bind(console);
    console[method] = (...values: unknown[]) => {
      if (!calledByLibsignal()) print(...values);
    };
  }
}

let silenced = false;

/** Frames above the caller of the console: this function and the guard itself. */
const OWN_FRAMES = 2;

function calledByLibsignal(): boolean {
  const caller = new Error().stack?.split('\n')[1 + OWN_FRAMES];
  return caller !== undefined && /[\\/]node_modules[\\/]libsignal[\\/]/.test(caller);
}
