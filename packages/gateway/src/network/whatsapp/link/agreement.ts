import {
  type AuthenticationCreds,
  type BinaryNode,
  configureSuccessfulPairing,
  type WASocket,
} from 'baileys';
import { unlessCutOff } from '../errors.ts';

const PAIRED = 'CB:iq,,pair-success';

type Handler = (...values: unknown[]) => unknown;

/**
 * When the phone has agreed, the library tells the network at once that the device is there, and leaves the keeping of its credentials to
 * whoever listens. A process that dies in between would leave a device on the phone that nobody can use or unlink. Here `keep` comes
 * first: the library hears of the agreement when that has resolved, and not at all when the link is not wanted any more.
 */
export function keepBeforeAgreeing(
  { ws, end }: Pick<WASocket, 'ws' | 'end'>,
  creds: AuthenticationCreds,
  keep: (creds: AuthenticationCreds) => Promise<boolean>,
): void {
  const handlers = ws.listeners(PAIRED) as Handler[];
  ws.removeAllListeners(PAIRED);
  async function agree(stanza: BinaryNode): Promise<void> {
    try {
      // What the library will make of it as well; it throws when the phone does not know our secret.
      const { creds: changes } = configureSuccessfulPairing(stanza, creds);
      if (!(await keep({ ...creds, ...changes }))) return;
      for (const handle of handlers) await handle(stanza);
    } catch (error) {
      await end(error instanceof Error ? error : undefined);
    }
  }

  ws.on(PAIRED, (stanza: BinaryNode) =>
    agree(stanza).catch(unlessCutOff('a connection could not be ended in order')),
  );
}
