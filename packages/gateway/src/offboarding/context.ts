import type { AccountsContext } from '#accounts';
import type { BillingContext } from '#billing';
import type { HistoryContext } from '#conversations';
import type { EventLog } from '#events';
import type { Linking } from '#sessions';
import type { WebhooksContext } from '#webhooks';

/** Context of all use cases of this room: the rooms with data of an account. */
export interface LifeContext extends AccountsContext {
  readonly billing: BillingContext;
  readonly linking: Pick<Linking, 'endAll'>;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly webhooks: WebhooksContext;
  readonly history: HistoryContext;
}
