import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { EXPORTS_ACCOUNT_MAX_BYTES, MEDIA_ACCOUNT_MAX_BYTES } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '#kernel';
import { createDatabase, databaseNames } from '#testing';
import type { NewFile } from '../library.ts';
import { kept, occupy, reserved as reservedBy } from '../testing/room.ts';
import { createStage, type MediaStage } from '../testing/stage.ts';
import { createStageAt } from '../testing/stage-at.ts';

const FULL = { code: 'media_storage_exhausted', status: 429 };
const KB = 1_000;
/** A life loads the gateway's sources anew. */
const PATIENCE_MS = 60_000;

describe.each(databaseNames)('the room of an account for files (%s)', (database) => {
  let stage: MediaStage;
  beforeAll(async () => {
    stage = await createStage(database);
  });
  afterAll(() => stage.close());

  let accounts = 0;
  /** An account that has so many bytes left. */
  async function accountWithRoom(bytes: number, { store } = stage): Promise<string> {
    const id = `account_${++accounts}`;
    await occupy(store, id, MEDIA_ACCOUNT_MAX_BYTES - bytes);
    return id;
  }

  const keep = (accountId: string, file: Partial<NewFile> & { bytes: NewFile['bytes'] }) =>
    stage.library.keep({ accountId, phone: null }, { ...stage.file(Buffer.alloc(0)), ...file });

  async function* pieces(size: number, pause?: () => Promise<unknown>): AsyncGenerator<Uint8Array> {
    yield randomBytes(size / 2);
    await pause?.();
    yield randomBytes(size / 2);
  }

  const bytesKept = (accountId: string) => kept(stage.store, accountId);
  const reserved = (accountId: string) => reservedBy(stage.store, accountId);

  it('holds as many of the files that come at once as fit, and never one more', async () => {
    const account = await accountWithRoom(100 * KB);
    const size = 30 * KB;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, () => keep(account, { bytes: pieces(size), size })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const each of outcomes) if (each.status === 'rejected') expect(each.reason).toMatchObject(FULL);
    expect(await bytesKept(account)).toBe(MEDIA_ACCOUNT_MAX_BYTES - 10 * KB);
    expect(await reserved(account)).toEqual([]);
  });

  it('is the whole limit for an account without files, and not a byte more', async () => {
    const whole = { size: MEDIA_ACCOUNT_MAX_BYTES, maxBytes: MEDIA_ACCOUNT_MAX_BYTES + 1 };
    const account = `account_${++accounts}`;
    const larger = { ...whole, size: whole.size + 1, bytes: pieces(2) };
    await expect(keep(account, larger)).rejects.toMatchObject(FULL);
    await keep(account, { ...whole, bytes: pieces(2) });
    expect(await bytesKept(account)).toBe(2);
  });

  it('is asked for before a byte is taken, and again as a file of unknown size grows', async () => {
    const full = await accountWithRoom(10);
    let taken = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      taken += 1;
      yield randomBytes(100);
    };
    await expect(keep(full, { bytes: counted(), size: 100 })).rejects.toMatchObject(FULL);
    expect(taken).toBe(0);
    await expect(keep(full, { bytes: counted() })).rejects.toMatchObject(FULL);
    expect(await bytesKept(full)).toBe(MEDIA_ACCOUNT_MAX_BYTES - 10);
  });

  it('is reserved as a file says that it is large, or in steps ahead of one that does not say', async () => {
    const step = 16 * 1024 * 1024;
    const account = `account_${++accounts}`;
    const sizes: number[][] = [];
    const note = async () => void sizes.push((await reserved(account)).map(({ size }) => Number(size)));
    async function* noting(...pieces: number[]): AsyncGenerator<Uint8Array> {
      for (const size of pieces) {
        await note();
        yield Buffer.alloc(size, sizes.length);
      }
      await note();
    }
    await keep(account, { bytes: noting(1_000), size: 1_000 });
    expect(sizes.splice(0)).toEqual([[1_000], [1_000]]);
    await keep(account, { bytes: noting(step + 1, 1, 1) });
    expect(sizes.splice(0)).toEqual([[step + 1], [step + 1], [2 * step + 2], [2 * step + 2]]);
    // No more than there is.
    const small = await accountWithRoom(50 * KB);
    const last = pieces(4 * KB, async () =>
      sizes.push((await reserved(small)).map(({ size }) => Number(size))),
    );
    await keep(small, { bytes: last });
    expect(sizes).toEqual([[50 * KB]]);
    expect([await reserved(account), await reserved(small)]).toEqual([[], []]);
  });

  it('that is held goes to others an hour after it was last reserved, and not before', async () => {
    const account = await accountWithRoom(50 * KB);
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = pieces(50 * KB, () => {
      begun.resolve();
      return gate.promise;
    });
    const slow = keep(account, { bytes: held, size: 50 * KB });
    await begun.promise;
    stage.clock.advance(60 * 60_000 - 1);
    const other = () => keep(account, { bytes: pieces(2 * KB), size: 2 * KB });
    await expect(other()).rejects.toMatchObject(FULL);
    gate.resolve();
    await slow;
    await expect(other()).rejects.toMatchObject(FULL);
    expect(await bytesKept(account)).toBe(MEDIA_ACCOUNT_MAX_BYTES);
  });

  it('is free again after a file that failed or was broken off', async () => {
    const account = await accountWithRoom(50 * KB);
    const failing = pieces(50 * KB, () => Promise.reject(new Error('the client is gone')));
    await expect(keep(account, { bytes: failing, size: 50 * KB })).rejects.toThrow('the client is gone');
    expect(await reserved(account)).toEqual([]);
    await keep(account, { bytes: pieces(50 * KB), size: 50 * KB });
    expect(await bytesKept(account)).toBe(MEDIA_ACCOUNT_MAX_BYTES);
  });

  it('is not used by archives, which have room of their own', async () => {
    const account = await accountWithRoom(0);
    const archive = { bytes: pieces(4 * KB), budget: 'export' } as const;
    await keep(account, archive);
    const file = { bytes: pieces(4 * KB), size: 4 * KB };
    await expect(keep(account, file)).rejects.toMatchObject(FULL);
    const other = `account_${++accounts}`;
    await occupy(stage.store, other, EXPORTS_ACCOUNT_MAX_BYTES, 'export');
    await expect(keep(other, { ...archive, bytes: pieces(4 * KB) })).rejects.toMatchObject(FULL);
    await keep(other, { bytes: pieces(4 * KB) });
  });

  it('counts a file that its archive was made of as soon as it is uploaded', async () => {
    const account = await accountWithRoom(5 * KB);
    const bytes = randomBytes(4 * KB);
    const once = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes;
    };
    await keep(account, { bytes: once(), budget: 'export' });
    await keep(account, { bytes: once(), size: bytes.length });
    await expect(keep(account, { bytes: pieces(2 * KB), size: 2 * KB })).rejects.toMatchObject(FULL);
  });

  it('that a file held for too long goes to others, and the file is refused at its end', async () => {
    const account = await accountWithRoom(50 * KB);
    const gate = Promise.withResolvers<void>();
    const slow = keep(account, { bytes: pieces(50 * KB, () => gate.promise), size: 50 * KB });
    const settled = expect(slow).rejects.toMatchObject(FULL);
    await expect.poll(() => reserved(account)).toHaveLength(1);
    await expect(keep(account, { bytes: pieces(2 * KB), size: 2 * KB })).rejects.toMatchObject(FULL);
    stage.clock.advance(61 * 60_000);
    await keep(account, { bytes: pieces(2 * KB), size: 2 * KB });
    gate.resolve();
    await settled;
    expect(await bytesKept(account)).toBe(MEDIA_ACCOUNT_MAX_BYTES - 48 * KB);
  });

  it(
    'that a killed process held is free when it starts again',
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'parley-media-held-'));
      const { url, drop } = await createDatabase(database);
      const masterKey = Buffer.from(systemRandom.bytes(32));
      const elsewhere = await createStageAt(path.join(folder, 'elsewhere'), url, masterKey);
      await occupy(elsewhere.store, 'ada', MEDIA_ACCOUNT_MAX_BYTES - 50 * KB);
      const here = path.join(folder, 'here');
      const script = path.join(import.meta.dirname, '../testing/held-upload-process.ts');
      const args = [script, here, url, masterKey.toString('hex'), String(50 * KB)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const gone = once(child, 'exit');
      for await (const line of createInterface(child.stdout)) if (line === 'held') child.kill('SIGKILL');
      await gone;
      const file = () => ({ ...stage.file(randomBytes(40 * KB)), size: 40 * KB });
      const owner = { accountId: 'ada', phone: null };
      await expect(elsewhere.library.keep(owner, file())).rejects.toMatchObject(FULL);
      const again = await createStageAt(here, url, masterKey);
      await again.library.keep(owner, file());
      await Promise.all([again.close(), elsewhere.close()]);
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
    PATIENCE_MS,
  );
});
