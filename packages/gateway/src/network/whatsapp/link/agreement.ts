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
 * Stores the credentials before the network learns that the device is linked. When the phone has agreed, the
 * library confirms to the network at once, and leaves the credentials to its listeners. A crash in between would
 * leave a device on the phone that cannot be used or unlinked. Here `keep` runs first: the library receives the
 * agreement after it has resolved, and never when the link is no longer wanted.
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
      // Same result as in the library; throws when the phone does not know our secret.
      const { creds: changes } = configureSuccessfulPairing(stanza, creds);
      if (!(await keep({ ...creds, ...changes }))) return;
      for (const handle of handlers) await handle(stanza);
    } catch (error) {
      await end(error instanceof Error ? error : undefined);
    }
  }

  ws.on(PAIRED, (stanza: BinaryNode) =>
    agree(stanza).catch(unlessCutOff('a connection could not be closed')),
  );
}
