import { compileParse } from '@parley/contract';
import type { Sandbox } from '@parley/sandbox';
import type { GuestApi } from '@parley/sandbox/control';
import Type from 'typebox';
import { apiError, apiErrorFrom, type Clock } from '#kernel';
import { createEgress, type Reply } from '#platform/egress';

/** Path prefix of a virtual network's interface, on every server that has one. */
export const PREFIX = '/sandbox/v1';

/** Client of a virtual network in another process; reaches no other path of that process. */
export interface SandboxClient {
  /** Throws `not_found` for a path that leads out of the interface. */
  ask(question: {
    readonly method: string;
    /** Absolute path with query. */
    readonly path: string;
    readonly contentType?: string | undefined;
    readonly body?: Uint8Array | undefined;
    readonly timeoutMs: number;
    readonly signal?: AbortSignal;
  }): Promise<Reply>;
  close(): Promise<void>;
}

/** Longer than any request to a virtual phone takes. */
export const LONGEST_ANSWER_MS = 60_000;
/** Fits the whole content of a phone, with its media. */
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
  // The operator configures the address, so it may be private.
  const egress = createEgress({ clock, publicOnly: false });
  const inside = `${new URL(url + PREFIX).href}/`;
  return {
    async ask({ path, contentType, body, ...question }) {
      if (!new URL(url + path).href.startsWith(inside)) throw apiError('not_found');
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

/** What a client needs to connect to a virtual network and to verify it. */
export type Endpoint = Pick<Sandbox, 'url' | 'rootPublicKey' | 'mediaCaPem' | 'mediaHost' | 'mediaHosts'>;

/** Publishes the address of the running sandbox. */
export const ENDPOINT_PATH = `${PREFIX}/endpoint`;

const View = Type.Object({
  url: Type.String(),
  root_public_key: Type.String(),
  media_ca: Type.String(),
  media_host: Type.String(),
  media_hosts: Type.Array(Type.String()),
});
const parseView = compileParse(View);

export function endpointView(endpoint: Endpoint): Type.Static<typeof View> {
  const { url, rootPublicKey, mediaCaPem, mediaHost, mediaHosts } = endpoint;
  const rootKey = Buffer.from(rootPublicKey).toString('base64');
  return {
    ...{ url, root_public_key: rootKey, media_ca: mediaCaPem },
    ...{ media_host: mediaHost, media_hosts: [...mediaHosts] },
  };
}

const PATIENCE_MS = 10_000;

/** Finds the virtual network of another process. */
export async function findEndpoint(client: SandboxClient): Promise<Endpoint> {
  const { body } = await client.ask({ method: 'GET', path: ENDPOINT_PATH, timeoutMs: PATIENCE_MS });
  const view = parseView(JSON.parse(body.toString()));
  if (!view.ok) throw new TypeError(view.text);
  const { url, root_public_key: rootKey, media_ca: mediaCaPem, ...media } = view.value;
  return {
    ...{ url, rootPublicKey: Buffer.from(rootKey, 'base64'), mediaCaPem },
    ...{ mediaHost: media.media_host, mediaHosts: media.media_hosts },
  };
}

/**
 * Path on which a gateway forwards its accounts' requests to a remote virtual network. The whole request is in the body, never in the
 * URL.
 */
export const VISITS_PATH = `${PREFIX}/visits`;

const closed = { additionalProperties: false };

export const parseVisit = compileParse(
  Type.Object(
    {
      guest: Type.Object(
        { name: Type.String({ minLength: 1 }), sessions: Type.Array(Type.String()) },
        closed,
      ),
      method: Type.Enum(['GET', 'POST', 'PUT'], { type: 'string' }),
      path: Type.String(),
      body: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
);
const parseAnswer = compileParse(Type.Object({ status: Type.Integer(), body: Type.Unknown() }));

export function visitThrough(client: SandboxClient): GuestApi {
  return async (visit) => {
    const reply = await client
      .ask({
        method: 'POST',
        path: VISITS_PATH,
        contentType: 'application/json',
        body: Buffer.from(JSON.stringify(visit)),
        timeoutMs: LONGEST_ANSWER_MS,
      })
      .catch((error: unknown) => {
        throw apiErrorFrom(error, 'network_unreachable');
      });
    const answer = parseAnswer(reply.status === 200 ? JSON.parse(reply.body.toString()) : undefined);
    if (!answer.ok) throw apiError('network_unreachable');
    return answer.value;
  };
}
