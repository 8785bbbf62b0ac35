import { readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import {
  MEDIA_UPLOAD_STALL_SECONDS,
  MEDIA_UPLOADS_IN_PARALLEL,
  OUTBOUND_MEDIA_MAX_BYTES,
  UPLOAD_FORM_MAX_BYTES,
} from '@parley/contract';
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

describe('uploads of one account at the same time', () => {
  let stage: MediaStage;
  beforeAll(async () => {
    stage = await createStage('SQLite');
  });
  afterAll(() => stage.close());

  it('are as many as may be, of this account alone, and one more when one has ended', async () => {
    const takeUpload = createUploads({ library: stage.library, machineClock: createSteppedClock() });
    const begin = (accountId = 'ada') => {
      const body = new PassThrough();
      const outcome = takeUpload({ ...caller, accountId }, { body, header: () => undefined });
      return { body, outcome: outcome.catch((error: unknown) => error) };
    };
    const first = Array.from({ length: MEDIA_UPLOADS_IN_PARALLEL }, () => begin());
    const refused = { code: 'too_many_uploads', status: 429 };
    expect(await begin().outcome).toMatchObject(refused);
    const others = begin('eve');
    others.body.end('bytes');
    expect(await others.outcome).toMatchObject({ size: 5 });

    first[0]?.body.end('bytes');
    expect(await first[0]?.outcome).toMatchObject({ size: 5 });
    const next = begin();
    expect(await begin().outcome).toMatchObject(refused);
    for (const { body } of [...first, next]) body.end('bytes');
    for (const { outcome } of [...first, next]) expect(await outcome).toMatchObject({ size: 5 });
    const last = begin();
    last.body.end('bytes');
    expect(await last.outcome).toMatchObject({ size: 5 });
  });
});

describe('an upload', () => {
  let stage: MediaStage;
  beforeAll(async () => {
    stage = await createStage('SQLite');
  });
  afterAll(() => stage.close());

  function upload(headers: Record<string, string>, content: string) {
    const takeUpload = createUploads({ library: stage.library, machineClock: createSteppedClock() });
    const body = new PassThrough();
    body.end(content);
    return takeUpload(caller, { body, header: (name) => headers[name] }).catch((error: unknown) => error);
  }
  const FORM = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  const END = `\r\n--${BOUNDARY}--\r\n`;

  it('may be as large as a file, and in a form as large as a file and the form around it', async () => {
    const tooLarge = { code: 'upload_too_large' };
    const claim = (bytes: number) => ({ 'Content-Length': `${bytes}` });
    const [file, form] = [OUTBOUND_MEDIA_MAX_BYTES, OUTBOUND_MEDIA_MAX_BYTES + UPLOAD_FORM_MAX_BYTES];
    expect(await upload(claim(file + 1), 'a file')).toMatchObject(tooLarge);
    expect(await upload(claim(file), 'a file')).not.toMatchObject(tooLarge);
    expect(await upload({ ...FORM, ...claim(form + 1) }, `${FORM_START}a file${END}`)).toMatchObject(
      tooLarge,
    );
    expect(await upload({ ...FORM, ...claim(form) }, `${FORM_START}a file${END}`)).not.toMatchObject(
      tooLarge,
    );
  });

  it('is refused in a form that is cut off without an error', async () => {
    const takeUpload = createUploads({ library: stage.library, machineClock: createSteppedClock() });
    const body = new PassThrough();
    const outcome = takeUpload(caller, {
      body,
      header: (name) => (name.toLowerCase() === 'content-type' ? FORM['Content-Type'] : undefined),
    }).catch((error: unknown) => error);
    body.write(`${FORM_START}half of a file`);
    await vi.waitFor(() => expect(body.readableLength).toBe(0));
    body.destroy();
    expect(await outcome).toMatchObject({ code: 'upload_incomplete', status: 400 });
    expect(readdirSync(stage.incoming)).toEqual([]);
  });

  it('is refused with a type that is none', async () => {
    expect(await upload({ 'Content-Type': 'a picture' }, 'a file')).toMatchObject({
      code: 'media_type_invalid',
    });
  });

  it('is refused in a form with more parts than a file and its fields', async () => {
    const nameless = (count: number) =>
      `--${BOUNDARY}\r\ncontent-type: text/plain\r\n\r\nx\r\n`.repeat(count);
    expect(await upload(FORM, `${nameless(16)}${FORM_START}a file${END}`)).toMatchObject({ size: 6 });
    expect(await upload(FORM, `${nameless(17)}${FORM_START}a file${END}`)).toMatchObject({
      code: 'upload_form_invalid',
    });
  });
});
