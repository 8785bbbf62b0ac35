import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseName, databaseNames } from '#testing';
import { createMediaLinks } from './links.ts';
import { type ArrivedFiles, createArrivedFiles } from './testing/arrived.ts';
import { createStage, type MediaStage } from './testing/stage.ts';

describe.each<DatabaseName>(databaseNames)('files that are opened by a link (%s)', (database) => {
  let stage: MediaStage;
  let files: ArrivedFiles;
  beforeAll(async () => {
    stage = await createStage(database);
    files = createArrivedFiles(stage);
  });
  afterAll(() => stage.close());

  const linkOf = (url: string | undefined) => {
    const { searchParams, pathname } = new URL(url ?? '');
    const signature = searchParams.get('signature') ?? '';
    return { pathname, expires: Number(searchParams.get('expires')), signature };
  };

  it('are opened until its end, each by its own', async () => {
    const [media, other] = [await files.noted(), await files.noted()];
    const { check, urlOf } = files.links;
    const { pathname, ...link } = linkOf(await urlOf('ada', media.id, 'https://gateway.example'));
    expect(pathname).toBe(`/v1/media/${media.id}/file`);
    expect(link.expires).toBe(Math.floor(stage.clock.now() / 1_000) + 72 * 3_600);
    expect(await check(media, link)).toBe(media);
    const invalid = { code: 'media_link_invalid' };
    await expect(check(other, link)).rejects.toMatchObject(invalid);
    await expect(check({ ...media, accountId: 'eve' }, link)).rejects.toMatchObject(invalid);
    await expect(check(undefined, link)).rejects.toMatchObject(invalid);
    await expect(check(media, { ...link, expires: link.expires + 1 })).rejects.toMatchObject(invalid);
    for (const signature of ['', 'x', link.signature.slice(1), `${link.signature}A`])
      await expect(check(media, { ...link, signature })).rejects.toMatchObject(invalid);
    stage.clock.advance(72 * 3_600_000);
    await expect(check(media, link)).rejects.toMatchObject({ code: 'media_link_expired' });
  });

  it('are named by the address that is known, and by none where none is', async () => {
    const known = createMediaLinks({ ...stage, publicUrl: () => 'https://known.example' });
    expect(await known.urlOf('ada', 'med_1', 'http://asked.example')).toContain(
      'https://known.example/v1/media/med_1/file?',
    );
    expect(await files.links.urlOf('ada', 'med_1', 'http://asked.example')).toContain(
      'http://asked.example/v1/',
    );
    expect(await files.links.urlOf('ada', 'med_1')).toBeUndefined();
  });
});
