import { Readable } from 'node:stream';
import { inflateRawSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { describeOnEachDatabase } from '#testing';
import { furnishAccount } from '../testing/furnish.ts';
import { commandModules, createHarness } from '../testing/harness.ts';
import { askForExport, downloadExport, type ExportContext, listExports, makeExports } from './export.ts';
import { EXPORTED } from './rows.ts';

const DAY_MS = 86_400_000;

/** The files of an archive, by what its directory says. */
function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const packed = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const local = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + archive.readUInt16LE(local + 26);
    files.set(name, inflateRawSync(archive.subarray(start, start + packed)).toString());
    at += 46 + nameLength;
  }
  return files;
}

describeOnEachDatabase(
  'all that an account has',
  (test) => {
    let harness: ReturnType<typeof createHarness>;
    const log = {
      error: (details: { err?: unknown }) => {
        throw details.err;
      },
    };
    beforeEach(() => {
      harness = createHarness(test);
    });

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

    it('comes as one archive, opened, without a secret and without a row of anybody else', async () => {
      const ada = await furnishAccount(harness);
      const ben = await furnishAccount(harness);
      const { export_id: exportId } = await askForExport(harness, { ...ada, memberId: 'mem_1' });
      expect(await askForExport(harness, { ...ada, memberId: 'mem_1' })).toMatchObject({
        export_id: exportId,
        status: 'preparing',
      });
      await makeExports(harness, log);
      const [made] = await listExports(harness, ada.accountId);
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

    it('has the files that are stored, and says which are left out', async () => {
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

    it('is begun anew when the process that made it has died', async () => {
      const ada = await furnishAccount(harness);
      const { export_id: exportId } = await askForExport(harness, { ...ada, memberId: 'mem_1' });
      const library = { ...harness.library, keep: () => new Promise<never>(() => {}) };
      // Never ends, like a process that was killed.
      void makeExports({ ...harness, library }, log);
      await expect
        .poll(async () => {
          const row = test.store.read.selectFrom('account_exports').select('taken_until');
          return (await row.where('id', '=', exportId).executeTakeFirst())?.taken_until;
        })
        .toBeGreaterThan(0);
      await makeExports(harness, log);
      expect(await listExports(harness, ada.accountId)).toMatchObject([{ status: 'preparing' }]);
      harness.clock.advance(5 * 60_000);
      await makeExports(harness, log);
      expect(await listExports(harness, ada.accountId)).toMatchObject([{ status: 'ready' }]);
    });

    it('is kept for seven days', async () => {
      const ada = await furnishAccount(harness);
      const { export_id: exportId } = await askForExport(harness, { ...ada, memberId: 'mem_1' });
      await makeExports(harness, log);
      harness.clock.advance(7 * DAY_MS - 1);
      expect((await download(ada.accountId, exportId)).length).toBeGreaterThan(0);
      harness.clock.advance(1);
      expect(await listExports(harness, ada.accountId)).toEqual([]);
      await expect(download(ada.accountId, exportId)).rejects.toMatchObject({ code: 'export_not_found' });
    });
  },
  'shared by all tests',
  commandModules,
);
