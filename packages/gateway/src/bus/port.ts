/**
 * How parts of the gateway reach each other, in one process or in many. The bus only speeds things up: the database is the truth,
 * and whoever waits for a word on the bus also looks there from time to time.
 *
 * Payloads are plain data that `structuredClone` can copy, bytes included; nobody may keep or change what they were handed. Names of
 * subjects and topics have no blanks and no wildcards (`*`, `>`).
 */
export interface Bus {
  /**
   * Answers calls to `subject`. At most one server per subject in all processes: a session is hosted once. In one process, threads
   * included, the newer server replaces the older one, whose thread may hang and cannot stop by itself; its own stop does nothing then.
   * A handler that rejects breaks the call with `CallBroken`; what a caller should understand is an answer, not an error. A call that
   * was on its way when the server stopped may still reach the handler.
   */
  serve(subject: string, handle: (request: unknown) => Promise<unknown>): Subscription;

  /**
   * Rejects with `NobodyServes` at once when there is no server, with `CallTimedOut` after `timeoutMs`, with `BusUnreachable` when the
   * way to other processes is cut, before or during the call. Must not retry.
   */
  call(subject: string, request: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;

  /** Tells everyone who listens, this process included. May be lost; must not be relied upon. */
  publish(topic: string, message: unknown): void;

  /** `topic` matches exactly. A listener that throws harms nobody else. */
  subscribe(topic: string, listener: (message: unknown) => void): Subscription;

  /** Readiness: rejects when the bus is unusable. */
  check(): Promise<void>;

  close(): Promise<void>;
}

export interface Subscription {
  /** Idempotent. */
  stop(): void;
}

export class NobodyServes extends Error {
  override readonly name = 'NobodyServes';
}

export class CallTimedOut extends Error {
  override readonly name = 'CallTimedOut';
}

export class CallBroken extends Error {
  override readonly name = 'CallBroken';
}

/** Its text is for whoever runs the gateway. */
export class BusUnreachable extends Error {
  override readonly name = 'BusUnreachable';
}
