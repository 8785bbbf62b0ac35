import { Counter, Gauge, type Registry } from 'prom-client';
import { atEndOfTurn } from '#kernel';
import { registerTimings } from './plain-histogram.ts';

/**
 * Work of this process, recorded by rooms as it happens. Counted in plain numbers, and rendered on scrape. Label values come from a
 * fixed list: never a tenant, number or URL.
 */
export interface WorkMetrics {
  /** A send is in the outbox. */
  accepted(type: string): void;
  /** An attempt to send has ended; `seconds` since the message was accepted. */
  sendTried(outcome: 'sent' | 'failed' | 'postponed', reason: string | undefined, seconds: number): void;
  /** A network event was stored. */
  received(kind: string): void;
  /** A network event could not be stored. */
  quarantined(kind: string): void;
  /** The network sent something that the driver does not understand; the driver bounds the names. */
  notUnderstood(part: string, name: string): void;
  /** An edit, a vote or another update of a message could not be decrypted. */
  updateUnread(kind: string): void;
  deliveryTried(outcome: 'delivered' | 'failed'): void;
  deliveryEnded(outcome: 'delivered' | 'dead'): void;
  paired(outcome: string): void;
  committed(batch: { readonly items: number; readonly seconds: number; readonly ok: boolean }): void;
}

/** From an immediate ack to a number that was offline for hours. */
const SEND_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];
const COMMIT_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function registerWorkMetrics(registry: Registry): WorkMetrics {
  const count = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    registerTally(registry, { name, help, labelNames });
  const accepted = count('parley_messages_accepted_total', 'Sends that were accepted, by type', 'type');
  const sends = count(
    'parley_sends_total',
    'Attempts to send: sent, failed for good (with its reason), or postponed',
    ...(['outcome', 'reason'] as const),
  );
  const sendSeconds = registerTimings(registry, {
    name: 'parley_send_seconds',
    help: 'From the acceptance of a message to the network’s own acknowledgement',
    bounds: SEND_BOUNDS,
  });
  const received = count(
    'parley_inbound_events_total',
    'Stored events of the network, by kind; messages are the kind message',
    'kind',
  );
  const quarantined = count(
    'parley_quarantined_events_total',
    'Events of the network that could not be stored and were quarantined',
    'kind',
  );
  const notUnderstood = count(
    'parley_unknown_arrivals_total',
    'Arrivals from the network that the driver does not understand, by part of its language and name',
    ...(['part', 'name'] as const),
  );
  const unread = count(
    'parley_unreadable_updates_total',
    'Edits, votes and other updates of messages that could not be decrypted, by kind',
    'kind',
  );
  const attempts = count('parley_delivery_attempts_total', 'Requests to webhooks, by outcome', 'outcome');
  const ended = count('parley_deliveries_ended_total', 'Deliveries that arrived, or are dead', 'outcome');
  const pairings = count('parley_pairings_total', 'Pairing attempts that ended, by outcome', 'outcome');
  const batches = count('parley_store_batches_total', 'Batches of writes, by result', 'result');
  const writes = count('parley_store_writes_total', 'Writes in those batches, by result', 'result');
  const commitSeconds = registerTimings(registry, {
    name: 'parley_store_commit_seconds',
    help: 'From handing a batch to the database to its durable commit',
    bounds: COMMIT_BOUNDS,
  });
  // Exported with 0 from the start: Prometheus does not count a series that first appears with 1 as an increase.
  for (const outcome of ['sent', 'postponed']) sends(0, outcome, '');
  for (const outcome of ['delivered', 'failed']) attempts(0, outcome);
  for (const outcome of ['delivered', 'dead']) ended(0, outcome);
  for (const outcome of ['paired', 'expired', 'failed', 'given_up']) pairings(0, outcome);
  for (const result of ['committed', 'failed']) {
    batches(0, result);
    writes(0, result);
  }
  return {
    accepted: (type) => accepted(1, type),
    sendTried(outcome, reason, seconds) {
      sends(1, outcome, reason ?? '');
      if (outcome === 'sent') sendSeconds(seconds);
    },
    received: (kind) => received(1, kind),
    quarantined: (kind) => quarantined(1, kind),
    notUnderstood: (part, name) => notUnderstood(1, part, name),
    updateUnread: (kind) => unread(1, kind),
    deliveryTried: (outcome) => attempts(1, outcome),
    deliveryEnded: (outcome) => ended(1, outcome),
    paired: (outcome) => pairings(1, outcome),
    committed({ items, seconds, ok }) {
      const result = ok ? 'committed' : 'failed';
      batches(1, result);
      writes(items, result);
      if (ok) commitSeconds(seconds);
    },
  };
}

/** A gauge of the current state. */
export function registerPausedEndpoints(registry: Registry, paused: () => number): void {
  new Gauge({
    name: 'parley_endpoints_paused',
    help: 'Receivers of webhooks that this process has paused because they fail',
    registers: [registry],
    collect() {
      this.set(paused());
    },
  });
}

function registerTally<L extends string>(
  registry: Registry,
  { name, help, labelNames }: { name: string; help: string; labelNames: L[] },
): (by: number, ...labels: string[]) => void {
  const counts = new Map<string, { readonly labels: readonly string[]; count: number }>();
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count } of counts.values()) this.labels(...labels).inc(count);
    },
  });
  return (by, ...labels) => {
    const key = labels.join(' ');
    const found = counts.get(key);
    if (found) found.count += by;
    else counts.set(key, { labels, count: by });
  };
}

/** Work counted in another thread of this process, in transit to the thread with the metrics. */
export type WorkReport = readonly (readonly [what: keyof WorkMetrics, details: readonly unknown[]])[];

/** Reports the work of one turn of the event loop together, instead of counting it. A thread that ends takes no count with it. */
export function reportWork(report: (work: WorkReport) => void): WorkMetrics {
  let done: [keyof WorkMetrics, readonly unknown[]][] = [];
  const note =
    (what: keyof WorkMetrics) =>
    (...details: readonly unknown[]): void => {
      if (done.length === 0)
        atEndOfTurn(() => {
          const whole = done;
          done = [];
          report(whole);
        });
      done.push([what, details]);
    };
  return {
    accepted: note('accepted'),
    sendTried: note('sendTried'),
    received: note('received'),
    quarantined: note('quarantined'),
    notUnderstood: note('notUnderstood'),
    updateUnread: note('updateUnread'),
    deliveryTried: note('deliveryTried'),
    deliveryEnded: note('deliveryEnded'),
    paired: note('paired'),
    committed: note('committed'),
  };
}

export function countReported(work: WorkMetrics, report: WorkReport): void {
  // Each entry has the name of its method, and its arguments.
  for (const [what, details] of report) (work[what] as (...all: readonly unknown[]) => void)(...details);
}
