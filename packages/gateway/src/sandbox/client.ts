import { createEgress, type Reply } from '#egress';
import { type Clock, fault } from '#kernel';

/** Where the interface of a virtual network is, on every server that has one. */
export const PREFIX = '/sandbox/v1';

/** The way to a virtual network that another process runs, and to nothing else that this process may serve. */
export interface SandboxClient {
  /** Throws `not_found` for a path that leads out of the interface of the network. */
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

/** Longer than anything that a virtual phone is asked to do. */
export const LONGEST_ANSWER_MS = 60_000;
/** Everything that a phone shows, with its media. */
const ANSWER_MAX_BYTES = 256 * 1024 * 1024;

export function createSandboxClient({
  url,
  operatorToken,
  clock,
}: {
  url: string;
  operatorToken: string | undefined;
  clock: Clock;
}): SandboxClient {
  // The address comes from the operator, so it may be a private one.
  const egress = createEgress({ clock, publicOnly: false });
  const inside = `${new URL(url + PREFIX).href}/`;
  return {
    async ask({ path, contentType, body, ...question }) {
      if (!new URL(url + path).href.startsWith(inside)) throw fault('not_found');
      return egress.ask(url + path, {
        ...question,
        ...(body && { body }),
        headers: {
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...(operatorToken !== undefined && { authorization: `Bearer ${operatorToken}` }),
        },
        maxBytes: ANSWER_MAX_BYTES,
      });
    },
    close: () => egress.close(),
  };
}
