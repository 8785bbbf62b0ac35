import type { Call, CallOptions } from './call.ts';
import { DELIVERIES_PAGE_MAX } from './generated/constants.ts';
import { webhooks } from './generated/methods.ts';
import type { Delivery, ListDeliveriesQuery } from './generated/types.ts';

export function webhooksOf(call: Call) {
  const methods = webhooks(call);

  /** The whole delivery log, newest first, fetched page by page while it is read. */
  async function* deliveries(
    webhookId: string,
    query: Pick<ListDeliveriesQuery, 'status' | 'kind' | 'before'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Delivery, void, void> {
    let { before } = query;
    while (true) {
      const page = await methods.listDeliveries(
        webhookId,
        { ...query, before, limit: DELIVERIES_PAGE_MAX },
        options,
      );
      yield* page.deliveries;
      if (page.deliveries.length < DELIVERIES_PAGE_MAX) return;
      before = page.deliveries.at(-1)?.delivery_id;
    }
  }

  return { ...methods, deliveries };
}
