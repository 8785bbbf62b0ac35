import {
  type EraseContext,
  type ExportContext,
  startErasing,
  startExports,
  startRemovals,
} from '#account-life';
import { type BillingContext, startInvoicing, startNotices } from '#billing';
import type { Role } from '#config';
import type { Egress } from '#egress';
import type { EventLog } from '#event-log';
import { startEventRetention } from '#events';
import { endRestrictions, tidyCounts } from '#health';
import { startHistoryRetention } from '#history';
import type { Clock } from '#kernel';
import { startMediaRetention, startOrphanSweep } from '#media';
import { startRememberingDays } from '#messages';
import type { Log } from '#ops';
import type { Store } from '#store';

interface Parts {
  readonly store: Store;
  readonly events: EventLog;
  readonly blobs: Parameters<typeof startMediaRetention>[0]['blobs'];
  readonly history: Omit<Parameters<typeof startHistoryRetention>[0], 'clock' | 'log'>;
  readonly billing: BillingContext;
  readonly life: ExportContext & EraseContext;
  readonly egress: Pick<Egress, 'post'>;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly log: Log;
}

/** What is done from time to time without anybody asking, as far as it is for this process; ends with what was opened. */
export function startUpkeep(roles: ReadonlySet<Role>, parts: Parts, opened: AsyncDisposableStack): void {
  const { history, billing, clock, log } = parts;
  const jobs = [
    ...(roles.has('worker')
      ? [
          endRestrictions(parts),
          tidyCounts(parts),
          startHistoryRetention({ ...history, clock, log }),
          startMediaRetention(parts),
          startOrphanSweep(parts),
          startRememberingDays(parts, parts),
          startInvoicing(billing, parts),
          startRemovals(parts.life, parts),
          startExports(parts.life, parts),
          startErasing(parts.life, parts),
        ]
      : []),
    ...(roles.has('webhooks') ? [startEventRetention(parts), startNotices(billing, parts)] : []),
  ];
  opened.defer(() => Promise.all(jobs.map((job) => job.stop())).then(() => {}));
}
