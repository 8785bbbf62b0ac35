import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaAccess } from './access.ts';
import { createStage, type MediaStage } from './testing/stage.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const ADA = { accountId: 'ada', phone: null };

describe('the files that a key may use', () => {
  let stage: MediaStage;
  beforeAll(async () => {
    stage = await createStage('SQLite');
  });
  afterAll(() => stage.close());

  function start() {
    const obtained: string[] = [];
    const access = createMediaAccess({
      library: stage.library,
      obtain: async (media) => {
        obtained.push(media.id);
        return media;
      },
    });
    return { access, obtained };
  }

  it('are those of its account, and of its number where it is for one', async () => {
    const { access } = start();
    const ofNumber = { accountId: 'ada', phone: '15550001001' };
    const { id } = await stage.library.keep(ofNumber, stage.file(PNG));
    const { id: shared } = await stage.library.keep(ADA, stage.file(PNG));
    for (const owner of [ADA, ofNumber]) expect((await access.find(owner, id)).id).toBe(id);
    expect((await access.find(ADA, shared)).id).toBe(shared);
    const restricted = { code: 'key_restricted' };
    await expect(access.find({ ...ADA, phone: '15550001002' }, id)).rejects.toMatchObject(restricted);
    await expect(access.find(ofNumber, shared)).rejects.toMatchObject(restricted);
    const missing = { code: 'media_not_found' };
    await expect(access.find({ ...ADA, accountId: 'eve' }, id)).rejects.toMatchObject(missing);
    await expect(access.forget({ ...ADA, accountId: 'eve' }, id)).rejects.toMatchObject(missing);
    await expect(access.find(ADA, 'none')).rejects.toMatchObject(missing);
  });

  it('are read whole, and found no more when they are forgotten', async () => {
    const { access, obtained } = start();
    const { id } = await stage.library.keep(ADA, stage.file(PNG));
    const media = await access.obtain(ADA, id);
    expect(obtained).toEqual([id]);
    expect(await buffer(await access.read(media))).toEqual(PNG);
    await access.forget(ADA, id);
    await expect(access.find(ADA, id)).rejects.toMatchObject({ code: 'media_not_found' });
  });

  it('are named by their id, or kept first where they come with the request', async () => {
    const { access, obtained } = start();
    const { id } = await stage.library.keep(ADA, stage.file(PNG));
    expect(await access.idOf(ADA, { media_id: id, media_base64: 'YQ==' })).toBe(id);
    expect(obtained).toEqual([id]);
    const kept = await access.idOf(ADA, { media_base64: 'YWJj', mimetype: 'text/plain' });
    expect(await access.find(ADA, kept ?? '')).toMatchObject({
      size: 3,
      mimetype: 'text/plain',
      fileName: '',
    });
    expect(await access.idOf(ADA, {})).toBeUndefined();
    await expect(access.idOf(ADA, { media_id: 'none' })).rejects.toMatchObject({ code: 'media_not_found' });
  });
});
