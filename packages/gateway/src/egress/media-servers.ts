import { Agent as UploadAgent } from 'node:https';
import { Agent, buildConnector, request } from 'undici';
import { createGuardedConnector, type Resolve, resolveBySystem } from './connector.ts';

/** How the driver reaches the media servers of its network. Where a file lies is in the messages of strangers, so this is guarded too. */
export interface MediaServers {
  /** For uploads, which go where the network itself says. */
  readonly uploadAgent: UploadAgent;
  /** Does not follow redirects. */
  get(url: URL, options: { readonly signal: AbortSignal }): Promise<MediaFileAnswer>;
  close(): Promise<void>;
}

export interface MediaFileAnswer {
  readonly status: number;
  /** The server's claim. */
  readonly length?: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Without an authority: the servers of the real network, found at public addresses only. With one: the servers of a sandbox, wherever
 * they are, and nobody else, for nobody else has a certificate of that authority.
 */
export function createMediaServers({
  authority,
  resolve = resolveBySystem,
}: {
  /** PEM. */
  authority?: string | undefined;
  resolve?: Resolve;
} = {}): MediaServers {
  const agent = new Agent({
    connect: authority === undefined ? createGuardedConnector(resolve) : buildConnector({ ca: authority }),
    allowH2: false,
  });
  const uploadAgent = new UploadAgent(authority === undefined ? {} : { ca: authority });
  return {
    uploadAgent,
    async get(url, { signal }) {
      const { statusCode, headers, body } = await request(url, { dispatcher: agent, signal });
      const length = Number(headers['content-length']);
      return { status: statusCode, body, ...(Number.isFinite(length) && { length }) };
    },
    async close() {
      uploadAgent.destroy();
      await agent.destroy();
    },
  };
}
