import { ConfigError, SETTINGS } from '#config';
import { type SealedBox, UnopenableBox } from '#kernel';
import type { Store } from '#store';

const NAME = 'master key';
const CONTEXT = `seal marker ${NAME}`;

/**
 * Refuses a master key that is not the one of this database: under a wrong one everything would seem to work, while no credential opens
 * and everything new is sealed under a key that nobody meant. Changes nothing; answers whether the key was known by its marker.
 */
export async function assertMasterKey(
  { read }: Pick<Store, 'read'>,
  sealedBox: Pick<SealedBox, 'open' | 'isStale'>,
): Promise<boolean> {
  const marker = await read
    .selectFrom('seal_markers')
    .select('sealed')
    .where('name', '=', NAME)
    .executeTakeFirst();
  const fits = marker ? opens(sealedBox, marker.sealed) : await fitsWhatIsThere(read, sealedBox);
  if (!fits)
    throw new ConfigError(
      `The master key is not the one that this database is sealed under; set ${SETTINGS.masterKey.name} to that, or restore master.key in the data dir.`,
    );
  return marker !== undefined;
}

/** The same, and leaves the marker by which the key will be known from now on. */
export async function keepToMasterKey(
  store: Pick<Store, 'read' | 'transaction'>,
  sealedBox: SealedBox,
  now: number,
): Promise<void> {
  if (await assertMasterKey(store, sealedBox)) return;
  const marker = { name: NAME, sealed: sealedBox.seal(Buffer.from(NAME), CONTEXT), made_at: now };
  await store.transaction((trx) =>
    trx
      .insertInto('seal_markers')
      .values(marker)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  // Another process may have been first, with another key.
  await assertMasterKey(store, sealedBox);
}

function opens(sealedBox: Pick<SealedBox, 'open'>, sealed: Uint8Array): boolean {
  try {
    sealedBox.open(sealed, CONTEXT);
    return true;
  } catch (error) {
    if (error instanceof UnopenableBox) return false;
    throw error;
  }
}

const MOST_SAMPLES = 100;

/** A database from before there was a marker: its credentials tell, or else its webhooks' secrets; an empty one takes every key. */
async function fitsWhatIsThere(
  read: Store['read'],
  { isStale }: Pick<SealedBox, 'isStale'>,
): Promise<boolean> {
  const links = await read.selectFrom('network_links').select('creds as box').limit(MOST_SAMPLES).execute();
  const samples =
    links.length > 0
      ? links
      : await read.selectFrom('webhooks').select('secret as box').limit(MOST_SAMPLES).execute();
  return samples.length === 0 || samples.some(({ box }) => !isStale(box));
}
