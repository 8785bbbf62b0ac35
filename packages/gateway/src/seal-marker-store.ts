import type { Reader, SealMarkerRow, Writer } from '#store';

export function findSealMarker(read: Reader, name: string): Promise<SealMarkerRow | undefined> {
  return read.selectFrom('seal_markers').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Unless another process was first. */
export async function insertSealMarker(trx: Writer, marker: SealMarkerRow): Promise<void> {
  await trx
    .insertInto('seal_markers')
    .values(marker)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const MOST_SAMPLES = 100;

/** Something that was sealed under the master key of this database: credentials, or else secrets of webhooks. */
export async function sampleBoxes(read: Reader): Promise<Uint8Array[]> {
  const links = await read.selectFrom('network_links').select('creds as box').limit(MOST_SAMPLES).execute();
  const samples =
    links.length > 0
      ? links
      : await read.selectFrom('webhooks').select('secret as box').limit(MOST_SAMPLES).execute();
  return samples.map(({ box }) => box);
}
