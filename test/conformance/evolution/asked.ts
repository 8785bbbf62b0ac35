/** What the gateway was asked by an operation of the node, and what it said. */
export interface Asked {
  readonly method: string;
  /** Without the server, and without what is behind the action: `/message/sendText`. */
  readonly path: string;
  readonly status: number;
  /** How long whoever is too fast is asked to wait. */
  readonly retryAfterSeconds: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of this interface have no type here, tests say what is in them
  readonly body: any;
}

/** `path` is all that stands behind the server's address. */
export function askedOf(method: string, path: string, answer: Response, text: string): Asked {
  return {
    method,
    path: path.split('/').slice(0, 3).join('/').replace(/\?.*$/, ''),
    status: answer.status,
    retryAfterSeconds: Number(answer.headers.get('retry-after') ?? 0),
    body: text === '' ? undefined : JSON.parse(text),
  };
}
