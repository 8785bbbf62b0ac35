import type { Reader, SealMarkerRow, Writer } from '#platform/store';

/** By name. */
export type SealMarkers = ReadonlyMap<string, Uint8Array>;

export async function readSealMarkers(read: Reader): Promise<SealMarkers> {
  const rows = await read.selectFrom('seal_markers').select(['name', 'sealed']).execute();
  return new Map(rows.map(({ name, sealed }) => [name, sealed]));
}

/** Skips markers that another process has inserted first. */
export async function insertSealMarkers(trx: Writer, markers: readonly SealMarkerRow[]): Promise<void> {
  await trx
    .insertInto('seal_markers')
    .values(markers)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Replaces the boxes of these markers, and deletes one. */
export async function replaceSealMarkers(
  trx: Writer,
  markers: readonly Pick<SealMarkerRow, 'name' | 'sealed'>[],
  over: string,
): Promise<void> {
  for (const { name, sealed } of markers)
    await trx.updateTable('seal_markers').set({ sealed }).where('name', '=', name).execute();
  await trx.deleteFrom('seal_markers').where('name', '=', over).execute();
}

const MOST_SAMPLES = 100;

/** Samples of data sealed under the master key of this database: credentials, or else secrets of webhooks. */
export async function sampleBoxes(read: Reader): Promise<Uint8Array[]> {
  const links = await read.selectFrom('network_links').select('creds as box').limit(MOST_SAMPLES).execute();
  const samples =
    links.length > 0
      ? links
      : await read.selectFrom('webhooks').select('secret as box').limit(MOST_SAMPLES).execute();
  return samples.map(({ box }) => box);
}
