import { type SealedBox, UnopenableBox } from '#kernel';
import type { Visit } from '#store';
import { SafekeepingError } from './errors.ts';

/** The marker that every copy of one installation has, whatever it is sealed under. */
export const INSTALLATION = 'installation';

export function contextOfMarker(name: string): string {
  return `seal marker ${name}`;
}

/** Which installation a database belongs to; null where no gateway that writes this down has run yet. */
export async function installationOf(
  visit: Pick<Visit, 'sealMarker'>,
  box: Pick<SealedBox, 'open'>,
): Promise<string | null> {
  const sealed = await visit.sealMarker(INSTALLATION);
  if (!sealed) return null;
  try {
    return Buffer.from(box.open(sealed, contextOfMarker(INSTALLATION))).toString('hex');
  } catch (error) {
    if (!(error instanceof UnopenableBox)) throw error;
    throw new SafekeepingError(
      'the master key is not the one that this database is sealed under; set PARLEY_MASTER_KEY to that',
    );
  }
}
