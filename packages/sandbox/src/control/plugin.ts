import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { PairingService, World } from '../world/index.ts';
import { answerError } from './errors.ts';
import { bodyWithFilesMaxBytes, type MediaFetcher } from './files.ts';
import type { ControlRoute, RawRequest } from './route.ts';
import { chatActionRoutes } from './routes/chat-actions.ts';
import { type ClockControl, conditionRoutes } from './routes/conditions.ts';
import { groupChangeRoutes } from './routes/group-changes.ts';
import { groupAndChannelRoutes } from './routes/groups-and-channels.ts';
import { handsetRoutes } from './routes/handsets.ts';
import { messageRoutes } from './routes/messages.ts';
import { passkeyRoutes } from './routes/passkeys.ts';
import { phoneRoutes } from './routes/phones.ts';
import { sanctionRoutes } from './routes/sanctions.ts';
import { signalRoutes } from './routes/signals.ts';
import { standingRoutes } from './routes/standing.ts';

export interface SandboxControl {
  world: World;
  pairing: PairingService;
  clock: ClockControl;
  fetcher: MediaFetcher;
}

/** Every route of the interface. */
export const controlRoutes = ({ world, pairing, clock, fetcher }: SandboxControl): ControlRoute[] => [
  ...phoneRoutes(world, pairing),
  ...handsetRoutes(world),
  ...passkeyRoutes(world, pairing),
  ...messageRoutes(world, fetcher),
  ...chatActionRoutes(world),
  ...signalRoutes(world),
  ...groupAndChannelRoutes(world, fetcher),
  ...groupChangeRoutes(world),
  ...conditionRoutes(world, clock),
  ...sanctionRoutes(world),
  ...standingRoutes(world),
];

/** The sandbox's HTTP interface, to be mounted under a prefix. The caller is responsible for access control. */
export function sandboxRoutes(control: SandboxControl): FastifyPluginAsync {
  const routes = controlRoutes(control);
  return async (app) => {
    app.setErrorHandler(answerError);
    if (app.prefix !== '') {
      app.setNotFoundHandler((_request, reply) => reply.status(404).send({ error: 'not found' }));
    }
    takeEmptyBodyAsNone(app);
    for (const route of routes) addRoute(app, route);
    refuseOtherMethods(app, routes);
  };
}

const BODY_MAX_BYTES = 1024 * 1024;

function addRoute(app: FastifyInstance, { method, path, status, carriesFiles, handle }: ControlRoute): void {
  app.route({
    method,
    url: path,
    bodyLimit: carriesFiles ? bodyWithFilesMaxBytes : BODY_MAX_BYTES,
    handler: async (request, reply) => {
      const { params, query, body } = request as RawRequest;
      const answer = await handle({ params, query, body });
      reply.status(status);
      return status === 204 ? reply.send() : answer;
    },
  });
}

type ParseJson = (
  request: FastifyRequest,
  text: string,
  done: (error: Error | null, body?: unknown) => void,
) => void;

/** A content type on a request without a body counts as no body. */
function takeEmptyBodyAsNone(app: FastifyInstance): void {
  // The parser answers through `done` only.
  const parse: ParseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, body.toString(), done);
  });
}

/** Answers 405 for a known path with another method. */
function refuseOtherMethods(app: FastifyInstance, routes: ControlRoute[]): void {
  for (const [url, served] of Map.groupBy(routes, (route) => route.path)) {
    const allowed = new Set<string>(served.map((route) => route.method));
    if (allowed.has('GET')) allowed.add('HEAD');
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.has(method)),
      url,
      handler: (_request, reply) =>
        reply
          .status(405)
          .header('Allow', [...allowed].join(', '))
          .send({ error: 'method not allowed' }),
    });
  }
}
