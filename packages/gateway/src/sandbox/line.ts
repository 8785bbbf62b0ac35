import { createEgress, type Reply } from '#egress';
import type { Clock } from '#kernel';

/** The way to a virtual network that another process runs. */
export interface SandboxLine {
  ask(question: {
    readonly method: string;
    /** From the root, with its query. */
    readonly path: string;
    readonly contentType?: string | undefined;
    readonly body?: Uint8Array | undefined;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal;
  }): Promise<Reply>;
  close(): Promise<void>;
}

/** Everything that a phone shows, with its media. */
const ANSWER_MAX_BYTES = 256 * 1024 * 1024;

export function createSandboxLine({
  url,
  operatorToken,
  clock,
}: {
  url: string;
  operatorToken: string | undefined;
  clock: Clock;
}): SandboxLine {
  // The address comes from the operator, so it may be a private one.
  const egress = createEgress({ clock, publicOnly: false });
  return {
    ask: ({ path, contentType, body, ...question }) =>
      egress.ask(url + path, {
        ...question,
        ...(body && { body }),
        headers: {
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...(operatorToken !== undefined && { authorization: `Bearer ${operatorToken}` }),
        },
        maxBytes: ANSWER_MAX_BYTES,
      }),
    close: () => egress.close(),
  };
}
