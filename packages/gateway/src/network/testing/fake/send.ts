import { statusJid } from '@parley/sandbox/world';
import type { OutboundMessage } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import { NETWORK_PATIENCE_MS } from '../../port.ts';
import { operationError, recipientError } from './errors.ts';
import { type Connection, type Link, requireConnection } from './link.ts';
import { toWorldContent } from './outbound.ts';

export async function send(link: Link, message: OutboundMessage): Promise<void> {
  const connection = requireConnection(link);
  try {
    const author = { world: link.world, random: link.random, device: connection.device };
    const content = await toWorldContent(author, message.content);
    await underFaults(link, connection, () => {
      const order = { id: message.messageId, to: message.to ?? statusJid, content };
      handOver(() => link.world.messages.send(connection.device, order), message);
    });
  } catch (error) {
    throw operationError(error);
  }
}

function handOver(send: () => void, { content }: OutboundMessage): void {
  try {
    send();
  } catch (error) {
    throw recipientError(error, content);
  }
}

/** Hands something to the network and answers as the link was ordered to: at once and truly, unless a fault was armed. */
export async function underFaults<T>(
  link: Link,
  { device, lost }: Connection,
  handOver: () => T,
): Promise<T> {
  if (lost.aborted) throw lost.reason;
  const fault = link.world.faults.takeForSend(device.sessionId);
  if (fault?.kind === 'send_transient') throw new NetworkError('transient', 'The network is busy.');
  if (fault?.kind === 'send_permanent')
    throw new NetworkError('permanent', 'The network refused the message.');
  const answer = handOver();
  if (fault?.kind === 'slow') await silence(link, lost, fault.ms);
  if (fault?.kind === 'no_ack') await silence(link, lost, Number.POSITIVE_INFINITY);
  return answer;
}

async function silence({ clock }: Link, lost: AbortSignal, ms: number): Promise<void> {
  await clock.sleep(Math.min(ms, NETWORK_PATIENCE_MS), lost);
  if (ms >= NETWORK_PATIENCE_MS) throw new NetworkError('transient', 'The network did not answer in time.');
}
