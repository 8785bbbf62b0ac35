import type { Bus } from '#bus';
import type { Store } from '#store';
import { FREE_TOPIC } from './host.ts';
import { removeAllWorkers, removeWorker } from './store.ts';

/** A worker is gone for certain: the others take over at once, without waiting for its lease to lapse. */
export async function buryWorker(
  { store, bus }: { store: Store; bus: Pick<Bus, 'publish'> },
  worker: string,
): Promise<void> {
  await removeWorker(store, worker);
  bus.publish(FREE_TOPIC, null);
}

/** The same for all that there ever were. To be called by whoever knows that nobody hosts. */
export async function buryAllWorkers(store: Store): Promise<void> {
  await removeAllWorkers(store);
}
