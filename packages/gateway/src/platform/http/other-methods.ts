import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import createRouter from 'find-my-way';
import { apiError } from '#kernel';
import type { MaybePromise } from './callers/caller.ts';

export interface Endpoint {
  readonly method: string;
  /** In the framework's syntax. */
  readonly url: string;
  /** Runs before a caller learns anything about the path. */
  readonly guard?: ((request: FastifyRequest) => MaybePromise<unknown>) | undefined;
}

interface Path extends Pick<Endpoint, 'url' | 'guard'> {
  readonly methods: ReadonlySet<string>;
  /** Segments of the path. */
  readonly parts: readonly string[];
}

/**
 * A known path answers 405 to a method that it does not have, and lists those it has. Paths are looked up again with the framework's
 * own router, ignoring methods: routes for all other methods would be most of the routes, and a third of the time to build the server.
 */
export function refuseOtherMethods(
  server: FastifyInstance,
  served: readonly Endpoint[],
  { maxParamLength }: { readonly maxParamLength: number },
): void {
  const all = pathsOf(served);
  const paths = all.filter(({ url }) => !url.endsWith('*'));
  let router: ReturnType<typeof routerOf> | undefined;

  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    // Built for the first request that needs it, to keep the start fast.
    router ??= routerOf(paths, maxParamLength);
    const path: Path | undefined = router.find('GET', request.url)?.store;
    if (path) await refuse(path, request, reply);
  });

  const withParameters = all.filter(({ url }) => /[:*]/.test(url));
  for (const path of paths) {
    const taken = methodsTakenByOthers(path, withParameters);
    if (taken.length === 0) continue;
    server.route({
      method: taken as HTTPMethods[],
      url: path.url,
      config: { refused: true },
      onRequest: (request, reply) => refuse(path, request, reply),
      handler: () => {},
    });
  }
}

function routerOf(paths: readonly Path[], maxParamLength: number) {
  const router = createRouter({ maxParamLength });
  for (const path of paths) router.on('GET', path.url, () => {}, path);
  return router;
}

function pathsOf(served: readonly Endpoint[]): Path[] {
  return [...Map.groupBy(served, ({ url }) => url)].map(([url, endpoints]) => {
    const methods = new Set(endpoints.map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    return { url, methods, parts: url.split('/'), guard: endpoints[0]?.guard };
  });
}

async function refuse(
  { guard, methods }: Path,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<never> {
  await guard?.(request);
  reply.header('Allow', [...methods].join(', '));
  throw apiError('method_not_allowed');
}

/** Methods for which a request to this path would match another path with a parameter in its place. */
function methodsTakenByOthers(path: Path, withParameters: readonly Path[]): string[] {
  const covering = withParameters.filter((other) => other !== path && covers(other.parts, path.parts));
  const taken = new Set(covering.flatMap(({ methods }) => [...methods]));
  return [...taken.difference(path.methods)];
}

function covers(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.at(-1) !== '*' && pattern.length !== parts.length) return false;
  return pattern.every((part, at) => part === parts[at] || part === '*' || part.startsWith(':'));
}
