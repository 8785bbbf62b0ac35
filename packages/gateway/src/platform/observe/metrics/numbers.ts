import { Counter, Gauge, type Registry } from 'prom-client';
import { warnOf } from '#kernel';

/** What one worker of this process currently hosts. */
export interface HostingFigures {
  /** Its worker id; undefined while it may not host. */
  readonly worker: string | undefined;
  readonly hosted: number;
  readonly connected: number;
}

/** Reports sessions per host; their sum over all processes is the number of sessions. */
export function registerHostingMetrics(
  registry: Registry,
  figures: () => Promise<readonly HostingFigures[]>,
): void {
  const gauge = (
    name: string,
    help: string,
    set: (gauge: Gauge<'worker'>, figures: HostingFigures) => void,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['worker'],
      registers: [registry],
      async collect() {
        const all = await figures();
        this.reset();
        for (const each of all) set(this, each);
      },
    });
  gauge(
    'parley_worker_leased',
    '1 while this process may host sessions, under this name; each of its hosting threads has its own',
    (own, { worker }) => own.set({ worker: worker ?? 'none' }, worker === undefined ? 0 : 1),
  );
  gauge('parley_sessions_hosted', 'Sessions that this process hosts', (own, { worker = 'none', hosted }) =>
    own.set({ worker }, hosted),
  );
  gauge(
    'parley_sessions_connected',
    'Sessions of this process that have a connection to the network',
    (own, { worker = 'none', connected }) => own.set({ worker }, connected),
  );
}

/** Health of the gateway's numbers with the network. Missing while the database does not answer. */
export interface HealthFigures {
  /** Numbers in each state, for the whole gateway. */
  readonly states: () => Promise<ReadonlyMap<string, number>>;
  /** New chats that the network refused today, by whether the chat existed before. */
  readonly refusals: () => Promise<{ readonly known: number; readonly unknown: number }>;
  /** Sends that this process has delayed, by reason. */
  readonly heldBack: ReadonlyMap<string, number>;
}

export function registerHealthMetrics(
  registry: Registry,
  { states, refusals, heldBack }: HealthFigures,
): void {
  new Gauge({
    name: 'parley_numbers',
    help: 'Numbers by how they stand with the network; of the whole gateway, the same in every process',
    labelNames: ['health'],
    registers: [registry],
    async collect() {
      const figures = await states().catch(warnOf('could not count the numbers by their state'));
      this.reset();
      for (const [health, count] of figures ?? []) this.set({ health }, count);
    },
  });
  new Gauge({
    name: 'parley_refused_new_chats_today',
    help: 'Messages that the network refused as new chats (463) since midnight UTC, by whether there was one; of the whole gateway',
    labelNames: ['contact'],
    registers: [registry],
    async collect() {
      const figures = await refusals().catch(warnOf('could not count the new chats that were refused'));
      this.reset();
      for (const [contact, count] of Object.entries(figures ?? {})) this.set({ contact }, count);
    },
  });
  new Counter({
    name: 'parley_sends_held_back_total',
    help: 'Sends that were held back to protect their number',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of heldBack) this.inc({ reason }, count);
    },
  });
}

/** Client version that the gateway presents to the network. */
export interface ClientVersionFigures {
  readonly version: string;
  readonly source: string;
  /** When the network last named it (epoch ms). */
  readonly learnedAt?: number;
  /** When the network will refuse it (epoch ms). */
  readonly expiresAt?: number;
}

/** An old version is refused one day: its age is worth an alert. */
export function registerClientVersionMetrics(
  registry: Registry,
  /** Of each host. */
  figures: () => Promise<readonly ClientVersionFigures[]>,
  clock: { now(): number },
): void {
  new Gauge({
    name: 'parley_client_version_info',
    help: 'As which version of the web client this process appears to the network, and where it has that from',
    labelNames: ['version', 'source'],
    registers: [registry],
    async collect() {
      const known = await figures();
      this.reset();
      for (const { version, source } of known) this.set({ version, source }, 1);
    },
  });
  new Gauge({
    name: 'parley_client_version_age_seconds',
    help: 'Since when the network has not confirmed that version; absent when it never did',
    registers: [registry],
    async collect() {
      // The oldest one is refused first.
      const learned = (await figures()).flatMap(({ learnedAt }) => learnedAt ?? []);
      if (learned.length === 0) this.remove();
      else this.set(Math.max(clock.now() - Math.min(...learned), 0) / 1_000);
    },
  });
  new Gauge({
    name: 'parley_client_version_expires_seconds',
    help: 'Until when the network accepts that version; absent while it has announced no end',
    registers: [registry],
    async collect() {
      const ends = (await figures()).flatMap(({ expiresAt }) => expiresAt ?? []);
      if (ends.length === 0) this.remove();
      else this.set(Math.max(Math.min(...ends) - clock.now(), 0) / 1_000);
    },
  });
}
