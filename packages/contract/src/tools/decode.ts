type Reviver = (this: unknown, key: string, value: unknown) => unknown;

/** Parses JSON from outside; undefined when it is invalid. */
export function parsedJson(text: string, reviver?: Reviver): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    // `RangeError`: with a reviver, deep nesting overflows the stack.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Decodes the percent-encoding of a part of an address; undefined when it is no UTF-8. */
export function decodedComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/**
 * Decodes bytes from outside with `read`; undefined when it refuses them. The decoders of the network's messages, its ciphers and
 * its curve refuse with a plain `Error`, or with a `RangeError` where the bytes end too early.
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
