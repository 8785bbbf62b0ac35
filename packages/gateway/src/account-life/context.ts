import type { AccountsContext } from '#accounts';
import type { BillingContext } from '#billing';
import type { EventLog } from '#event-log';
import type { HistoryContext } from '#history';
import type { Linking } from '#sessions';
import type { WebhooksContext } from '#webhooks';

/** What every use case of this room needs: the rooms that have something of an account. */
export interface LifeContext extends AccountsContext {
  readonly billing: BillingContext;
  readonly linking: Pick<Linking, 'endAll'>;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly webhooks: WebhooksContext;
  readonly history: HistoryContext;
}
