import type { LinkedDevice, MailboxItem, SessionId } from '../../world/index.ts';
import type { Forwarding } from '../messages/forwarding.ts';
import type { Network, Session } from '../network.ts';
import { errorName } from '../ports.ts';
import type { Outbox } from '../signal/outbox.ts';
import { bytesOf, children, type Node, node } from '../transport/nodes.ts';
import { groupedReceipt, groupOf } from './grouped-receipts.ts';
import { createUnansweredItems } from './unanswered-items.ts';

/** Encodes a mailbox item as a stanza. Undefined for an item that this device does not need. */
export type Writer = (item: MailboxItem, device: LinkedDevice) => Promise<Node | undefined>;

/** Encrypts a message again for a device that could not decrypt it. */
export type Rewriter = (item: MailboxItem, device: LinkedDevice, retry: Node) => Promise<Node | undefined>;

/** Delivers the mailbox of one device to its client, item by item, and acknowledges what the client has answered. */
export interface MailboxDelivery {
  carry(item: MailboxItem): void;
  /** Sends `stanza` after all earlier deliveries. */
  afterwards(stanza: Node): void;
  /** Handles a receipt or an ack of the client. */
  answered(stanza: Node): void;
  /** Handles a retry receipt: the client could not decrypt a message. */
  retry(receipt: Node): void;
}

export function createMailboxDelivery({
  network: { world, clock, log },
  session,
  outbox,
  write,
  rewrite,
  forwarding,
}: {
  network: Network;
  outbox: Outbox;
  session: Session;
  write: Writer;
  rewrite: Rewriter;
  forwarding: Forwarding;
}): MailboxDelivery {
  const { device } = session;
  const unansweredItems = createUnansweredItems();
  const carried = new Map<number, MailboxItem>();
  /** The last receipts of the delivery, while more of their kind may join them. */
  let group: { readonly name: string; readonly items: MailboxItem[] } | undefined;
  let work: Promise<void> = Promise.resolve();

  const acknowledge = (ids: number[]): void => {
    if (ids.length === 0) return;
    for (const id of ids) carried.delete(id);
    world.transaction(() => {
      outbox.discard(device.sessionId, ids);
      world.mailboxes.acknowledge(device.sessionId, ...ids);
    });
  };

  const queue = (job: () => void | Promise<void>): void => {
    work = work
      .then(yieldToEventLoop)
      .then(job)
      .catch((error: unknown) => {
        log.warn({ session: device.sessionId, error: errorName(error) }, 'delivery failed');
      });
  };

  const send = (stanza: Node, ...items: readonly MailboxItem[]): void => {
    for (const item of items) {
      if (item.volatile) continue;
      carried.set(item.id, item);
      unansweredItems.add(stanza, item.id);
    }
    session.send(items[0]?.waited ? markedOffline(stanza) : stanza);
  };

  const deliver = async (item: MailboxItem): Promise<void> => {
    const stanza = await write(item, device);
    const isSealed = children(stanza, 'enc').length > 0;
    const isDamaged = isSealed && world.faults.takeForDelivery(device.sessionId);
    if (stanza) send(isDamaged ? damaged(stanza) : stanza, item);
    else acknowledge([item.id]);
  };

  const deliverGroup = (items: readonly MailboxItem[]): void | Promise<void> => {
    const [only, ...others] = items;
    if (only && others.length === 0) return deliver(only);
    const stanza = groupedReceipt(items);
    if (stanza) send(stanza, ...items);
  };

  return {
    carry(item) {
      const name = groupOf(item);
      if (name !== undefined && group?.name === name) return void group.items.push(item);
      const mine = name === undefined ? undefined : { name, items: [item] };
      group = mine;
      if (!mine) return queue(() => deliver(item));
      queue(() => {
        // later items come after the stanza that is sent now
        if (group === mine) group = undefined;
        return deliverGroup(mine.items);
      });
    },
    afterwards: (stanza) => queue(() => session.send(stanza)),
    answered: (stanza) => acknowledge(unansweredItems.settle(stanza)),

    retry(receipt) {
      const messageId = receipt.attrs.id ?? '';
      unansweredItems.expectNack(messageId);
      for (const id of unansweredItems.carrying(messageId)) {
        const item = carried.get(id);
        if (item?.news.kind === 'forwarded') askAuthor(item, item.news.by, receipt);
        else if (item) {
          queue(async () => {
            const stanza = await rewrite(item, device, receipt);
            if (stanza) session.send(stanza);
          });
        }
      }
    },
  };

  /** A stanza of another device was forwarded unchanged; the retry is between the two devices. */
  function askAuthor(item: MailboxItem, by: SessionId, receipt: Node): void {
    const author = world.devices.get(by);
    world.transaction(() => {
      if (author) forwarding.retry(device, author, receipt, clock.now());
      acknowledge([item.id]);
    });
  }
}

/** Encryption is synchronous: without a pause, hundreds of waiting messages would block the whole network for seconds. */
function yieldToEventLoop(): Promise<void> {
  // biome-ignore lint/style/noRestrictedGlobals: it waits for a turn of the event loop, not for time
  return new Promise((resolve) => setImmediate(resolve));
}

/** At this distance from the end there is ciphertext or its MAC for every type: a session opener has a few plaintext bytes behind it. */
const SEALED_AT = 12;

/** Changes a byte of each ciphertext, so that no client can decrypt it. */
function damaged(stanza: Node): Node {
  const content = children(stanza).map((part) => {
    const bytes = part.tag === 'enc' ? bytesOf(part) : undefined;
    if (!bytes) return part;
    const at = Math.max(0, bytes.length - SEALED_AT);
    return node('enc', part.attrs, Buffer.from(bytes.with(at, (bytes[at] ?? 0) ^ 1)));
  });
  return node(stanza.tag, stanza.attrs, content);
}

/** Marks a stanza as one that waited for the client. */
function markedOffline(stanza: Node): Node {
  return node(stanza.tag, { ...stanza.attrs, offline: 1 }, stanza.content);
}
