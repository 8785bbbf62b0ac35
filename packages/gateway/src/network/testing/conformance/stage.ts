import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Actor, lidJid, type PhoneSettings, userJid, type World } from '@parley/sandbox/world';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import type { MediaFile } from '../../content.ts';
import type { NetworkSession, PairingProgress } from '../../port.ts';
import { createEventRecorder, type EventRecorder } from './event-recorder.ts';
import type { CreateHarness, Harness } from './harness.ts';

/** A person with a virtual phone. */
export interface TestContact {
  readonly name: string;
  readonly phone: string;
  readonly jid: string;
  readonly lid: string;
  /** Acts through the phone. */
  readonly actor: Actor;
}

export interface LinkedNumber extends TestContact {
  readonly linkId: string;
  readonly sessionId: string;
}

export interface OpenNumber extends LinkedNumber {
  readonly session: NetworkSession;
  readonly witness: EventRecorder;
}

/** Shared by the tests of one chapter: one harness, and any number of people, so that no test consumes another's faults. */
export interface Stage {
  readonly harness: Harness;
  readonly world: World;
  /** Polls while time passes for the driver and the world, and fails after a while with the last error. */
  eventually<T>(check: () => T | Promise<T>): Promise<T>;
  someone(name?: string, settings?: Partial<PhoneSettings>): TestContact;
  newLinkId(): string;
  newMessageId(): string;
  file(content: string | Uint8Array, mimetype: string): Promise<MediaFile>;
  /** Links a number by QR. */
  link(someone?: TestContact): Promise<LinkedNumber>;
  /** Opens without waiting for the connection. */
  open(number: LinkedNumber): OpenNumber;
  /** A linked number with an open session that is connected. */
  online(someone?: TestContact): Promise<OpenNumber>;
}

/** Generous: a busy machine must make tests slow, not red. */
const GIVE_UP_AFTER_MS = 30_000;
const POLL_EVERY_MS = 5;
/** With a stepped clock, this much time passes between polls. */
const STEP_MS = 100;
const WATCHING = { timeout: GIVE_UP_AFTER_MS, interval: POLL_EVERY_MS };
const FIRST_PHONE = 15_550_100_000;

export function useStage(createHarness: CreateHarness): Stage {
  let harness: Harness | undefined;
  let folder: string | undefined;
  let count = 0;

  beforeAll(async () => {
    harness = await createHarness();
    folder = await mkdtemp(join(tmpdir(), 'parley-conformance-'));
  });

  afterAll(async () => {
    await harness?.dispose();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  const current = (): Harness => {
    if (!harness) throw new Error('the stage is set up before the first test of a chapter, not earlier');
    return harness;
  };

  const next = (): number => {
    count += 1;
    return count;
  };

  const eventually: Stage['eventually'] = (check) =>
    vi.waitFor(async () => {
      try {
        return await check();
      } catch (complaint) {
        if (!current().ticks) await current().advance(STEP_MS);
        throw complaint;
      }
    }, WATCHING);

  const someone: Stage['someone'] = (name = 'Ada', settings = {}) => {
    const phone = String(FIRST_PHONE + next());
    const { lid } = current().world.phones.create(phone, { name, ...current().people, ...settings });
    return { name, phone, jid: userJid(phone), lid: lidJid(lid), actor: { phone, device: 0 } };
  };

  const newLinkId = (): string => `link_${next()}`;

  const link: Stage['link'] = async (owner = someone('Parley')) => {
    const linkId = newLinkId();
    const progress: PairingProgress[] = [];
    current().driver.pair({
      linkId,
      phone: owner.phone,
      method: 'qr',
      onProgress: (step) => progress.push(step),
    });
    const shown = await eventually(() => find(progress, 'qr'));
    await current().pairing.scan(owner.phone, shown.qr);
    const { sessionId } = await eventually(() => find(progress, 'paired'));
    return { ...owner, linkId, sessionId };
  };

  const open: Stage['open'] = (number) => {
    const witness = createEventRecorder();
    const { onState, onStanding, onEvents } = witness;
    const session = current().driver.open({
      linkId: number.linkId,
      fence: next(),
      onState,
      onStanding,
      onEvents,
    });
    return { ...number, session, witness };
  };

  return {
    get harness() {
      return current();
    },
    get world() {
      return current().world;
    },
    eventually,
    someone,
    newLinkId,
    newMessageId: () => `3EB0${next().toString(16).toUpperCase().padStart(18, '0')}`,
    async file(content, mimetype) {
      const bytes = Buffer.from(content);
      const path = join(folder ?? tmpdir(), `file-${next()}`);
      await writeFile(path, bytes);
      return { path, size: bytes.byteLength, mimetype };
    },
    link,
    open,
    async online(owner) {
      const number = open(await link(owner));
      await eventually(() => expect(number.session.state.kind).toBe('connected'));
      return number;
    },
  };
}

/** The latest step of a kind; throws when there is none yet. */
export function find<Kind extends PairingProgress['kind']>(
  progress: readonly PairingProgress[],
  kind: Kind,
): Extract<PairingProgress, { kind: Kind }> {
  const found = progress.findLast(
    (step): step is Extract<PairingProgress, { kind: Kind }> => step.kind === kind,
  );
  if (!found) throw new Error(`no ${kind} among: ${progress.map((step) => step.kind).join(', ')}`);
  return found;
}
