import { isGroupJid, statusJid, userJid } from '@parley/sandbox/world';
import { deletesForeign, type OutboundMessage } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import { NETWORK_PATIENCE_MS } from '../../port.ts';
import { operationError, recipientError } from './errors.ts';
import { type Connection, type Link, phoneAt, requireConnection } from './link.ts';
import { toWorldContent } from './outbound.ts';

export async function send(link: Link, { to, ...sent }: OutboundMessage): Promise<void> {
  const account =
    to !== undefined && !link.world.phones.find(to) ? phoneAt(link.world, to)?.phone : undefined;
  const message = { ...sent, to: account === undefined ? to : userJid(account) };
  const connection = requireConnection(link);
  try {
    const author = { world: link.world, random: link.random, device: connection.device };
    const content = await toWorldContent(author, message.content);
    await underFaults(link, connection, () => {
      requireRight(link, connection, message);
      if (message.to) link.standing.assertMayWrite(connection.device, message.to);
      const order = { id: message.messageId, to: message.to ?? statusJid, content };
      handOver(() => link.world.messages.send(connection.device, order), message);
    });
  } catch (error) {
    throw operationError(error);
  }
}

function requireRight({ world }: Link, { device }: Connection, { to, content }: OutboundMessage): void {
  if (!to || !isGroupJid(to) || !deletesForeign(content)) return;
  const { members } = world.groups.get(device, to);
  const role = members.find(({ person }) => person.phone === device.phone)?.role;
  if (role === undefined || role === 'member')
    throw new NetworkError('refused', 'Only an admin of the group may delete what other members wrote.');
}

function handOver(send: () => void, { content }: OutboundMessage): void {
  try {
    send();
  } catch (error) {
    throw recipientError(error, content);
  }
}

/** Passes something to the network and answers as the link is configured: immediately and truly, unless a fault was armed. */
export async function underFaults<T>(
  link: Link,
  { device, lost }: Connection,
  handOver: () => T,
): Promise<T> {
  if (lost.aborted) throw lost.reason;
  const { faults } = link.world;
  if (faults.dropsTraffic(device.sessionId)) await silence(link, lost, Number.POSITIVE_INFINITY);
  const fault = faults.takeForSend(device.sessionId);
  if (fault?.kind === 'send_transient') throw new NetworkError('transient', 'The network is busy.');
  if (fault?.kind === 'send_permanent') {
    throw new NetworkError('permanent', 'The network refused the message.', {
      code: fault.code ?? UNACCEPTABLE,
    });
  }
  const answer = handOver();
  if (fault?.kind === 'slow') await silence(link, lost, fault.ms);
  await silence(link, lost, faults.lateness(device.sessionId));
  if (fault?.kind === 'no_ack') await silence(link, lost, Number.POSITIVE_INFINITY);
  return answer;
}

const UNACCEPTABLE = 479;

async function silence({ clock }: Link, lost: AbortSignal, ms: number): Promise<void> {
  if (ms === 0) return;
  await clock.sleep(Math.min(ms, NETWORK_PATIENCE_MS), lost);
  if (ms >= NETWORK_PATIENCE_MS) throw new NetworkError('transient', 'The network did not answer in time.');
}
