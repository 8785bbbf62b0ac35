import { Gauge, type Registry } from 'prom-client';
import { type Clock, warnOf, within } from '#kernel';

/** Backlog in the database for the whole gateway: every process reports the same. Ages in seconds, 0 for an empty queue. */
interface Backlog {
  readonly outbox: Waiting;
  readonly deliveries: Waiting & { readonly dead: number };
  /** Received from the network, and not yet an event. */
  readonly journal: number;
  readonly sessions: ReadonlyMap<string, number>;
}

interface Waiting {
  readonly waiting: number;
  readonly oldestAt: number | null;
}

/** Limits how often the database counts, however many scrapes there are. */
export const counting = { everyMs: 10_000 };
const PATIENCE_MS = 2_000;

export function registerBacklogMetrics(
  registry: Registry,
  read: () => Promise<Backlog>,
  { clock, machineClock }: { clock: Pick<Clock, 'now'>; machineClock: Clock },
): void {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Backlog | undefined> = Promise.resolve(undefined);

  /** Undefined while the database does not answer: then only these metrics are missing. */
  function backlog(): Promise<Backlog | undefined> {
    const now = machineClock.monotonic();
    if (now - readAt < counting.everyMs) return reading;
    readAt = now;
    reading = within(machineClock, PATIENCE_MS, read(), () => new Error('too late')).catch(
      (error: unknown) => {
        readAt = Number.NEGATIVE_INFINITY;
        return warnOf('could not count the backlog')(error);
      },
    );
    return reading;
  }

  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    show: (gauge: Gauge<L>, found: Backlog) => void,
  ): void => {
    new Gauge<L>({
      name,
      help: `${help}; of the whole gateway, the same in every process`,
      labelNames,
      registers: [registry],
      async collect() {
        const found = await backlog();
        this.reset();
        if (found) show(this, found);
        else this.remove();
      },
    });
  };
  const age = ({ oldestAt }: Waiting): number =>
    oldestAt === null ? 0 : Math.max(clock.now() - oldestAt, 0) / 1_000;

  gauge(
    'parley_outbox_messages',
    'Accepted messages that have not left, counted up to 20,000',
    [],
    (own, { outbox }) => own.set(outbox.waiting),
  );
  gauge('parley_outbox_oldest_seconds', 'How long the oldest of them has waited', [], (own, { outbox }) =>
    own.set(age(outbox)),
  );
  gauge(
    'parley_deliveries',
    'Deliveries to webhooks that wait for their next attempt or are dead, each counted up to 20,000',
    ['status'],
    (own, { deliveries }) => {
      own.set({ status: 'pending' }, deliveries.waiting);
      own.set({ status: 'dead' }, deliveries.dead);
    },
  );
  gauge(
    'parley_deliveries_oldest_seconds',
    'How long ago the oldest pending delivery was queued',
    [],
    (own, { deliveries }) => own.set(age(deliveries)),
  );
  gauge('parley_journal_arrivals', 'Entries of the journal that are not yet events', [], (own, { journal }) =>
    own.set(journal),
  );
  gauge('parley_sessions', 'Linked numbers by the state of their session', ['state'], (own, { sessions }) => {
    for (const [state, count] of sessions) own.set({ state }, count);
  });
}
