import type { FastifyInstance } from 'fastify';
import type { Clock } from '#kernel';

const FINISH_REQUESTS_MS = 10_000;

/** Takes no more requests, and finishes those under way. */
export async function closeServer(http: FastifyInstance, clock: Pick<Clock, 'after'>): Promise<void> {
  // Whoever has not sent the rest of a request by then, or does not read the answer, will not do so any more.
  const patience = clock.after(FINISH_REQUESTS_MS, () => http.server.closeAllConnections());
  await http.close();
  patience.cancel();
}
