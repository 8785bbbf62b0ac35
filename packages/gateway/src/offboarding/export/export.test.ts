import { Readable } from 'node:stream';
import { beforeEach, expect, it, vi } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { dropOldExports } from '../offboarding-queries.ts';
import { furnishAccount } from '../testing/furnish.ts';
import { commandModules, createHarness } from '../testing/harness.ts';
import { unzip } from '../testing/unzip.ts';
import { askForExport, downloadExport, type ExportContext, listExports, makeExports } from './export.ts';
import { EXPORTED } from './rows.ts';

const DAY_MS = 86_400_000;

describeOnEachDatabase(
  'an export of an account',
  (test) => {
    let harness: ReturnType<typeof createHarness>;
    const log = {
      debug() {},
      error: (details: { err?: unknown }) => {
        throw details.err;
      },
    };
    beforeEach(() => {
      harness = createHarness(test);
    });

    const exportsOf = async (accountId: string) => (await listExports(harness, accountId)).items;

    async function download(accountId: string, exportId: string): Promise<Buffer> {
      const headers = new Map<string, unknown>();
      const call = {
        signal: new AbortController().signal,
        header: () => undefined,
        setHeader: (name: string, value: unknown) => void headers.set(name, value),
        setStatus: () => {},
      };
      const stream = await downloadExport(harness, { accountId, memberId: 'mem_1', exportId }, call);
      const chunks: Buffer[] = [];
      for await (const chunk of stream ?? []) chunks.push(chunk);
      return Buffer.concat(chunks);
    }

    it('is one archive, opened, without a secret and without rows of other accounts', async () => {
      const ada = await furnishAccount(harness);
      const ben = await furnishAccount(harness);
      const { export_id: exportId } = await askForExport(harness, { ...ada, memberId: 'mem_1' });
      expect(await askForExport(harness, { ...ada, memberId: 'mem_1' })).toMatchObject({
        export_id: exportId,
        status: 'preparing',
      });
      await makeExports(harness, log);
      const [made] = await exportsOf(ada.accountId);
      expect(made).toMatchObject({ export_id: exportId, status: 'ready', progress: 100 });

      const files = unzip(await download(ada.accountId, exportId));
      expect([...files.keys()].filter((name) => !name.startsWith('media/')).toSorted()).toEqual(
        ['README.txt', 'manifest.json', ...EXPORTED.map(({ table }) => `${table}.jsonl`)].toSorted(),
      );
      expect(files.get('messages.jsonl')?.trim().split('\n')).toHaveLength(1_200);
      expect(files.get('history_messages.jsonl')).toContain(`said by ${ada.word}`);
      for (const name of ['accounts', 'members', 'devices', 'webhooks', 'api_keys', 'api_requests'])
        expect(files.get(`${name}.jsonl`), name).toMatch(/^\{/);
      const all = [...files.values()].join('\n');
      expect(all).not.toContain(ben.word);
      expect(all).not.toContain(ben.accountId);
      expect(all).not.toMatch(/"\w*(?:secret|hash|sealed|creds|token)\w*":/);
      await expect(download(ben.accountId, exportId)).rejects.toMatchObject({ code: 'export_not_found' });
      // The file at rest is sealed.
      expect(harness.blobs.names()).not.toEqual([]);
    });

    it('has the stored files, and lists those left out', async () => {
      const ada = await furnishAccount(harness);
      const owner = { accountId: ada.accountId, phone: null };
      const keep = (text: string, fileName: string) =>
        harness.library.keep(owner, {
          bytes: Readable.from([Buffer.from(text)]),
          ...{ mimetype: 'application/pdf', fileName, maxBytes: 1_000 },
        });
      const small = await keep('the small one', 'offer.PDF');
      const large = await keep('x'.repeat(500), '../../etc/passwd');
      const gone = await keep('forgotten', 'gone');
      await harness.library.forget(gone);
      const make = async (context: ExportContext) => {
        const { export_id: exportId } = await askForExport(context, { ...ada, memberId: 'mem_1' });
        await makeExports(context, log);
        const files = unzip(await download(ada.accountId, exportId));
        const ours = [small.id, large.id, gone.id].map((id) => `media/${id}`);
        const named = [...files].filter(([name]) => ours.includes(name.split('.', 1)[0] ?? ''));
        return { named, manifest: JSON.parse(files.get('manifest.json') ?? '') };
      };
      const whole = await make(harness);
      expect(whole.named.toSorted()).toEqual(
        [
          [`media/${small.id}.pdf`, 'the small one'],
          [`media/${large.id}`, 'x'.repeat(500)],
        ].toSorted(),
      );
      const { files, bytes, not_stored } = whole.manifest.media;
      expect(whole.manifest.media.beyond_limit).toEqual({ files: 0, bytes: 0 });
      expect(not_stored).toBeGreaterThan(0);
      const limit = { bytes: bytes - 500, files: 10 };
      const limited = await make({ ...harness, mediaLimit: limit });
      expect(limited.named).toEqual([[`media/${small.id}.pdf`, 'the small one']]);
      // The first archive is not in the second one.
      expect(limited.manifest).toMatchObject({
        account_id: ada.accountId,
        media: {
          ...{ files: files - 1, bytes: limit.bytes, limit, not_stored },
          beyond_limit: { files: 1, bytes: 500 },
        },
      });
    });

    /** Clock of a process that was killed: its timers never fire. */
    const deadClock = () => ({ now: () => harness.clock.now(), after: () => ({ cancel() {} }) });
    /** A process that is killed while it writes its n-th file. */
    function dyingAt(n: number): ExportContext {
      let files = 0;
      const keep: ExportContext['library']['keep'] = (...file) =>
        ++files < n ? harness.library.keep(...file) : new Promise<never>(() => {});
      // Each piece takes longer than its limit, so that each table is one.
      let asked = 0;
      const machineClock = { ...deadClock(), now: () => harness.clock.now() + 5_000 * asked++ };
      return { ...harness, machineClock, library: { ...harness.library, keep } };
    }
    const rowOf = (exportId: string) =>
      test.store.read
        .selectFrom('account_exports')
        .selectAll()
        .where('id', '=', exportId)
        .executeTakeFirstOrThrow();

    it('is resumed by another process 15 seconds after its process died, from the last piece', async () => {
      const ada = await furnishAccount(harness);
      const { export_id: exportId } = await askForExport(harness, { ...ada, memberId: 'mem_1' });
      void makeExports(dyingAt(6), log);
      await expect.poll(async () => (await rowOf(exportId)).pieces?.match(/mediaId/g)?.length).toBe(5);
      const before = await rowOf(exportId);
      expect(before.steps_done).toBeGreaterThan(0);
      harness.clock.advance(before.taken_until - harness.clock.now() - 1);
      await makeExports(harness, log);
      expect(await exportsOf(ada.accountId)).toMatchObject([{ status: 'preparing' }]);
      harness.clock.advance(1);

      const made = vi.fn(harness.library.keep);
      await makeExports({ ...harness, library: { ...harness.library, keep: made } }, log);
      const [done] = await exportsOf(ada.accountId);
      expect(done).toMatchObject({ status: 'ready', progress: 100 });
      // The rest of the tables, and the archive.
      expect(made).toHaveBeenCalledTimes(2);
      const files = unzip(await download(ada.accountId, exportId));
      const linesIn = (name: string) => files.get(`${name}.jsonl`)?.trim().split('\n') ?? [];
      for (const name of ['messages', 'history_messages', 'api_requests'])
        expect(new Set(linesIn(name)).size, name).toBe(linesIn(name).length);
      expect(linesIn('messages')).toHaveLength(1_200);
      expect(JSON.parse(files.get('manifest.json') ?? '').rows).toBe(done?.rows);
      expect([...files.keys()].filter((name) => name.endsWith('.piece'))).toEqual([]);
      expect(files.get('media.jsonl')).not.toContain('.piece');
    });

    it('is resumed at once by the next process on the embedded database', async () => {
      const ada = await furnishAccount(harness);
      const { export_id: exportId } = await askForExport(harness, { ...ada, memberId: 'mem_1' });
      void makeExports(dyingAt(3), log);
      await expect.poll(async () => (await rowOf(exportId)).pieces?.match(/mediaId/g)?.length).toBe(2);
      await makeExports(harness, log, { leases: 'of the dead' });
      expect(await exportsOf(ada.accountId)).toMatchObject([{ status: 'ready' }]);
    });

    it('is not taken by another process while its own lives, however long it takes', async () => {
      const ada = await furnishAccount(harness);
      const { export_id: exportId } = await askForExport(harness, { ...ada, memberId: 'mem_1' });
      const keep = () => new Promise<never>(() => {});
      void makeExports({ ...harness, library: { ...harness.library, keep } }, log);
      await expect.poll(async () => (await rowOf(exportId)).taken_until).toBeGreaterThan(0);
      for (let renewals = 0; renewals < 10; renewals++) {
        const { taken_until: before } = await rowOf(exportId);
        harness.clock.advance(4_000);
        await expect.poll(async () => (await rowOf(exportId)).taken_until).toBeGreaterThan(before);
        await makeExports(harness, log);
      }
      expect(await exportsOf(ada.accountId)).toMatchObject([{ status: 'preparing' }]);
      // No other process is to make it.
      await dropOldExports(test.store, harness.clock.now());
    });

    it('is retried after a failure, and given up after five', async () => {
      const ada = await furnishAccount(harness);
      await askForExport(harness, { ...ada, memberId: 'mem_1' });
      const keep = vi.fn(() => Promise.reject(new Error('the disk is away')));
      const said = vi.fn();
      const failing = { ...harness, library: { ...harness.library, keep } };
      for (let tries = 1; tries <= 5; tries++) {
        expect(await exportsOf(ada.accountId)).toMatchObject([{ status: 'preparing' }]);
        await makeExports(failing, { debug() {}, error: said });
        expect(keep).toHaveBeenCalledTimes(tries);
        await makeExports(failing, { debug() {}, error: said });
        expect(keep).toHaveBeenCalledTimes(tries);
        harness.clock.advance(20_000 * 2 ** (tries - 1));
      }
      expect(said).toHaveBeenCalledTimes(5);
      expect(await exportsOf(ada.accountId)).toMatchObject([{ status: 'failed' }]);
    });

    it('is kept for seven days', async () => {
      const ada = await furnishAccount(harness);
      const { export_id: exportId } = await askForExport(harness, { ...ada, memberId: 'mem_1' });
      await makeExports(harness, log);
      harness.clock.advance(7 * DAY_MS - 1);
      expect((await download(ada.accountId, exportId)).length).toBeGreaterThan(0);
      harness.clock.advance(1);
      expect(await exportsOf(ada.accountId)).toEqual([]);
      await expect(download(ada.accountId, exportId)).rejects.toMatchObject({ code: 'export_not_found' });
    });
  },
  'shared by all tests',
  commandModules,
);
