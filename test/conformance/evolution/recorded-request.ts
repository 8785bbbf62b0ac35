/** A request of the node to the gateway, with its answer. */
export interface Asked {
  readonly method: string;
  /** Without the server, and without what follows the action: `/message/sendText`. */
  readonly path: string;
  readonly status: number;
  /** How long a rate-limited client has to wait. */
  readonly retryAfterSeconds: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of this interface have no type here, tests say what is in them
  readonly body: any;
}

/** `path` is everything after the server's address. */
export function askedOf(method: string, path: string, answer: Response, text: string): Asked {
  return {
    method,
    path: path.split('/').slice(0, 3).join('/').replace(/\?.*$/, ''),
    status: answer.status,
    retryAfterSeconds: Number(answer.headers.get('retry-after') ?? 0),
    body: text === '' ? undefined : JSON.parse(text),
  };
}
