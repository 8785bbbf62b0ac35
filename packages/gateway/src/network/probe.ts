import { NetworkError } from './errors.ts';
import type { NetworkSession } from './port.ts';

/** One answer may be lost on a connection that is sound, so a second one is asked for. */
export async function probeTwice(session: Pick<NetworkSession, 'probe'>): Promise<void> {
  try {
    await session.probe();
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    await session.probe();
  }
}
