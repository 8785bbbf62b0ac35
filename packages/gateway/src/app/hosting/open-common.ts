import path from 'node:path';
import { createDataKeys, createDirectory, type DataKeys } from '#accounts';
import { type Config, readEnvironment } from '#config';
import { createChatBook, createHistories } from '#conversations';
import { createEventLog } from '#events';
import { createHealthFollower } from '#health';
import { type Clock, createIds, type Ids, type Random, type SealedBox } from '#kernel';
import { createFetchAction, createMediaLibrary, createMediaLinks, openMediaStore } from '#media';
import { createSendBudget } from '#messages';
import {
  createChannelActions,
  createContactActions,
  createGroupActions,
  createTempFiles,
  nameChat,
  type TempFiles,
} from '#operations';
import type { Bus } from '#platform/bus';
import { createEgress, type Egress } from '#platform/egress';
import { createTraces, type Log, startTraceRetention, traceBus } from '#platform/observe';
import type { Store } from '#platform/store';

interface Parts {
  readonly store: Store;
  readonly bus: Bus;
  readonly sealedBox: SealedBox;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Base of links to files. */
  readonly publicUrl: () => string | undefined;
  /** This thread delivers, and the store emits every new delivery to it. */
  readonly isNotifiedByStore: boolean;
  /** Folder for temporary files of this thread. */
  readonly passage: string;
}

export type Common = ReturnType<typeof openCommon>;

/** Parts that hosting and request handling both need, each with its own instance. */
export function openCommon(config: Config, parts: Parts, opened: AsyncDisposableStack) {
  const { store, bus, sealedBox, clock, machineClock, random, log, isNotifiedByStore, publicUrl, passage } =
    parts;
  const ids = createIds({ clock, random });
  const egress = createEgress({ clock: machineClock, publicOnly: config.mode === 'production' });
  opened.defer(() => egress.close());
  const directory = createDirectory({ store, clock });
  opened.defer(() => directory.close());
  const events = createEventLog({ store, bus, sealedBox, clock, isNotifiedByStore });
  const follower = createHealthFollower({ store, events, clock, log });
  opened.defer(() => follower.stop());
  const dataKeys = createDataKeys({ store, sealedBox, random, clock });
  const histories = createHistories({ store, bus, keys: dataKeys, clock, log });
  opened.defer(() => histories.stop());
  const budget = createSendBudget({ store, clock, terms: directory });
  const media = openMedia(config, { ...parts, dataKeys, ids, egress }, opened);
  const { files, fetchMedia } = media;
  return {
    ...{ store, bus, sealedBox, clock, machineClock, random, log, publicUrl, isNotifiedByStore, passage },
    ...{ ids, egress, directory, events, follower, dataKeys, histories, media },
    book: createChatBook({ store }),
    actions: {
      groups: createGroupActions({ files }),
      contacts: createContactActions({ files }),
      channels: createChannelActions({ files, budget, ids }),
      files: { fetchMedia },
      chats: { nameChat },
    },
  };
}

interface MediaParts {
  readonly store: Store;
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly egress: Egress;
  /** Base of links to files. */
  readonly publicUrl: () => string | undefined;
  readonly passage: string;
}

interface OpenedMedia {
  readonly blobs: ReturnType<typeof openMediaStore>;
  readonly library: ReturnType<typeof createMediaLibrary>;
  readonly links: ReturnType<typeof createMediaLinks>;
  /** Registered by the host of a number, which alone can request a file from the network. */
  readonly fetchMedia: ReturnType<typeof createFetchAction>;
  readonly files: TempFiles;
}

/** Files of all accounts, in the configured store. */
function openMedia(
  { mediaUrl }: Pick<Config, 'mediaUrl'>,
  parts: MediaParts,
  opened: AsyncDisposableStack,
): OpenedMedia {
  const { machineClock, egress } = parts;
  const blobs = openMediaStore(mediaUrl, machineClock);
  opened.defer(() => blobs.close());
  const library = createMediaLibrary({
    ...parts,
    blobs,
    incoming: path.join(parts.passage, 'media', 'incoming'),
  });
  return {
    blobs,
    library,
    links: createMediaLinks(parts),
    fetchMedia: createFetchAction({ library, machineClock }),
    files: createTempFiles({ egress, library, folder: path.join(parts.passage, 'lent') }),
  };
}

interface TracingParts {
  readonly version: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly log: Log;
  /** Whether this thread drops old traces; one thread of a process does. */
  readonly tidies: boolean;
}

interface Tracing {
  /** Undefined where traces are off: then the library is not loaded. */
  readonly traces?: ReturnType<typeof createTraces>;
  traced(bus: Bus): Bus;
}

export async function openTracing(
  { traces }: Pick<Config, 'traces'>,
  { version, store, clock, machineClock, log, tidies }: TracingParts,
  opened: AsyncDisposableStack,
): Promise<Tracing> {
  if (traces === 'off') return { traced: (bus) => bus };
  const { openSpans } = await import('../../platform/observe/tracing/open-telemetry.ts');
  const spans = openSpans({ version, clock: machineClock, log, environment: readEnvironment() });
  opened.defer(() => spans.close());
  const retention = tidies ? startTraceRetention({ store, clock, log }) : undefined;
  opened.defer(() => retention?.stop());
  return { traces: createTraces({ spans, store, clock }), traced: (bus) => traceBus(bus, spans) };
}

const OTLP_ENDPOINT = 'http://localhost:4318';

/** Host that traces are exported to, by the variables that the exporter reads. */
export function traceHosts({ traces }: Pick<Config, 'traces'>): string[] {
  if (traces === 'off') return [];
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: shared } = readEnvironment();
  return [URL.parse(own || shared || OTLP_ENDPOINT)?.host ?? []].flat();
}
