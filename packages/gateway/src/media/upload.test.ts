import { readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { MEDIA_UPLOAD_STALL_SECONDS } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createStage, type MediaStage } from './testing/stage.ts';
import { createUploads } from './upload.ts';

const caller = { accountId: 'ada', permissions: null, phone: null, blocked: null };
const BOUNDARY = 'x';
const FORM_START = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;

describe('an upload that stands still', () => {
  let stage: MediaStage;
  beforeAll(async () => {
    stage = await createStage('SQLite');
  });
  afterAll(() => stage.close());

  it.each([
    ['raw', 'application/x-tides', ''],
    ['in a form', `multipart/form-data; boundary=${BOUNDARY}`, FORM_START],
  ])(
    '%s is broken off when nothing came for long, and not before; nothing of it is kept',
    async (_, type, start) => {
      const clock = createSteppedClock();
      const takeUpload = createUploads({ library: stage.library, machineClock: clock });
      const body = new PassThrough();
      const outcome = takeUpload(caller, {
        body,
        header: (name) => (name.toLowerCase() === 'content-type' ? type : undefined),
      }).catch((error: unknown) => error);
      let isOver = false;
      void outcome.then(() => {
        isOver = true;
      });
      body.write(`${start}half of `);
      for (const piece of ['a file ', 'that ', 'comes ', 'slowly']) {
        // Whatever came so far was read: from here on the time counts anew.
        await vi.waitFor(() => expect(body.readableLength).toBe(0));
        await new Promise(setImmediate);
        clock.advance((MEDIA_UPLOAD_STALL_SECONDS - 1) * 1_000);
        await new Promise(setImmediate);
        expect(isOver).toBe(false);
        body.write(piece);
      }
      await vi.waitFor(() => {
        clock.advance(MEDIA_UPLOAD_STALL_SECONDS * 1_000);
        expect(isOver).toBe(true);
      });
      expect(await outcome).toMatchObject({ code: 'upload_incomplete', status: 400 });
      expect(readdirSync(stage.incoming)).toEqual([]);
      expect(await stage.store.read.selectFrom('media').select('id').execute()).toEqual([]);
    },
  );
});
