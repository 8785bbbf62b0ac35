import { DELIVERIES_PAGE_DEFAULT, operations } from '@parley/contract';
import { listNumbersOfAll, listTermsVersions, noteVisit, readAuditLog } from '#accounts';
import { numberHealths } from '#health';
import { outboxDepth } from '#messages';
import { type Route, serve } from '#platform/http';
import { deadLetters, failingOfAll, queueDepths, redeliverDeadLetter } from '#webhooks';
import { VISIT_MS } from '../browser-sessions.ts';
import type { PortalContext } from '../context.ts';

/** The operator's view of all accounts. */
export function oversightRoutes({
  store,
  clock,
  accounts,
  webhooks,
  health,
  browserSessions,
  cookies,
}: PortalContext): Route[] {
  const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

  return [
    serve(operations.listNumbersOfAll, async ({ query }) => {
      const [{ items, nextCursor }, standingOf] = await Promise.all([
        listNumbersOfAll(accounts, query),
        numberHealths(health),
      ]);
      const withHealth = items.map((device) => {
        const standing = standingOf.get(device.slot_id);
        return { ...device, ...(standing && { health: standing }) };
      });
      return { devices: withHealth, next_cursor: nextCursor };
    }),
    serve(operations.visitAccount, async ({ params, body, address, header, setHeader }) => {
      const { account_id: accountId } = params;
      const { name: operator, reason = '' } = body;
      const until = clock.now() + VISIT_MS;
      await noteVisit(accounts, { accountId, name: operator, reason, until });
      // Replaces the session of this browser, if there was one.
      const earlier = cookies.read(header('Cookie'), 'owner');
      if (earlier !== undefined) await browserSessions.end('owner', earlier);
      const token = await browserSessions.beginVisit({ accountId, operator, address });
      setHeader('Set-Cookie', cookies.give('owner', token));
      return { operator, until: new Date(until).toISOString() };
    }),
    serve(operations.listTermsVersions, async () => ({ versions: await listTermsVersions(accounts) })),
    serve(operations.getQueues, async () => {
      const outbox = await outboxDepth(store);
      const { pending, paused, dead, oldestAt } = await queueDepths(store);
      return {
        outbox: { waiting: outbox.waiting, oldest_at: isoTime(outbox.oldestAt) },
        deliveries: { pending, paused, dead, oldest_at: isoTime(oldestAt) },
      };
    }),
    serve(operations.listDeadLetters, async ({ query, signal }) => ({
      dead_letters: await deadLetters(webhooks, {
        ...query,
        limit: query.limit ?? DELIVERIES_PAGE_DEFAULT,
        signal,
      }),
    })),
    serve(operations.redeliverDeadLetter, ({ params }) => redeliverDeadLetter(webhooks, params.delivery_id)),
    serve(operations.listFailingOfAll, async () => {
      const { items, hasMore } = await failingOfAll(webhooks);
      return { receivers: items, has_more: hasMore };
    }),
    serve(operations.listAuditLog, async ({ query }) => ({
      entries: await readAuditLog(store, { ...query, limit: query.limit ?? DELIVERIES_PAGE_DEFAULT }),
    })),
  ];
}
