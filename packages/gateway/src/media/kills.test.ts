import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { systemRandom } from '#kernel';
import { createDatabase } from '#testing';
import { createStageAt } from './testing/stage-at.ts';

const KILLS = 2;
/** Each life loads the gateway's sources anew. */
const PATIENCE_MS = 180_000;
const FILES_PER_LIFE = 15;

it(
  'a file whose id was stored is there whole, and none is there in part, whenever the process is killed',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-media-kills-'));
    const { url, drop } = await createDatabase('SQLite');
    const masterKey = Buffer.from(systemRandom.bytes(32));
    const stored = new Map<string, string>();

    for (let life = 0; life < KILLS; life++) {
      const script = path.join(import.meta.dirname, 'testing/upload-process.ts');
      const child = spawn(process.execPath, [script, folder, url, masterKey.toString('hex')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const gone = once(child, 'exit');
      let here = 0;
      for await (const line of createInterface(child.stdout)) {
        const [id = '', sha256 = ''] = line.split(' ');
        stored.set(id, sha256);
        here += 1;
        if (here === FILES_PER_LIFE) child.kill('SIGKILL');
      }
      await gone;
      expect(here).toBeGreaterThanOrEqual(FILES_PER_LIFE);
    }

    const stage = await createStageAt(folder, url, masterKey);
    const rows = await stage.store.read.selectFrom('media').select('id').execute();
    const found = new Map<string, string>();
    for (const { id } of rows) {
      const media = await stage.library.find('ada', id);
      if (!media) throw new Error(`${id} has a row and is not there`);
      const bytes = await buffer(await stage.library.read(media, { from: 0, to: media.size }));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(media.sha256);
      found.set(id, media.sha256);
    }
    for (const [id, sha256] of stored) expect(found.get(id), id).toBe(sha256);
    expect(readdirSync(stage.incoming)).toEqual([]);
    await stage.store.close();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  },
  PATIENCE_MS,
);
