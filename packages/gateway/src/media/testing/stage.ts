import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemRandom } from '#kernel';
import { createDatabase, type DatabaseName } from '#testing';
import type { MediaStore } from '../blobs/port.ts';
import { createStageAt, type MediaStage } from './stage-at.ts';

export type { MediaStage } from './stage-at.ts';

export async function createStage(database: DatabaseName, given?: MediaStore): Promise<MediaStage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-media-'));
  const { url, drop } = await createDatabase(database);
  const stage = await createStageAt(folder, url, systemRandom.bytes(32), given);
  return {
    ...stage,
    async close() {
      await stage.close();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
