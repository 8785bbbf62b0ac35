/**
 * Connects parts of the gateway, in one process or in many. The bus is only an accelerator: the database is the source of truth, and
 * every subscriber also polls it.
 * Payloads are plain data that `structuredClone` can copy, bytes included; receivers must not keep or change them. Subjects and topics
 * have no blanks and no wildcards (`*`, `>`).
 */
export interface Bus {
  /**
   * Answers calls to `subject`. At most one server per subject in all processes: a session is hosted once. In one process, threads
   * included, a newer server replaces the older one, whose thread may hang; stopping the replaced one does nothing. A handler that
   * rejects breaks the call with `CallBroken`; outcomes that a caller should handle are answers, not errors. A call in transit when
   * the server stopped may still reach the handler.
   */
  serve(subject: string, handle: (request: unknown) => Promise<unknown>): Subscription;

  /**
   * Rejects with `NoResponders` at once when there is no server, with `CallTimedOut` after `timeoutMs`, with `BusUnreachable` when the
   * connection to other processes is lost, before or during the call. Must not retry.
   */
  call(subject: string, request: unknown, options: { readonly timeoutMs: number }): Promise<unknown>;

  /** Delivers to every subscriber, this process included. May be lost; must not be relied upon. */
  publish(topic: string, message: unknown): void;

  /** `topic` matches exactly. A listener that throws does not affect others. */
  subscribe(topic: string, listener: (message: unknown) => void): Subscription;

  /** Readiness: rejects when the bus is unusable. */
  check(): Promise<void>;

  close(): Promise<void>;
}

export interface Subscription {
  /** Idempotent. */
  stop(): void;
}

export class NoResponders extends Error {
  override readonly name = 'NoResponders';
}

export class CallTimedOut extends Error {
  override readonly name = 'CallTimedOut';
}

export class CallBroken extends Error {
  override readonly name = 'CallBroken';
}

/** Its text is for the operator. */
export class BusUnreachable extends Error {
  override readonly name = 'BusUnreachable';
}
