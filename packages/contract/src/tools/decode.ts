type Reviver = (this: unknown, key: string, value: unknown) => unknown;

/** What a text from outside says in JSON; undefined when it is none. */
export function parsedJson(text: string, reviver?: Reviver): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    // The second: with a reviver, a text can be nested deeper than there is stack.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A part of an address without its percent signs; undefined when they do not stand for UTF-8. */
export function decodedComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * What `read` makes of bytes from outside; undefined when it refuses them. The decoders of the network's messages, its ciphers and its
 * curve do so with an error of no class of its own, or with a `RangeError` where the bytes end too early.
 */
export function decoded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || (error instanceof Error && error.constructor === Error))
      return undefined;
    throw error;
  }
}
