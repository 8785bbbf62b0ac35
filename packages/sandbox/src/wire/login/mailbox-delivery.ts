import type { LinkedDevice, MailboxItem, SessionId } from '../../world/index.ts';
import type { Forwarding } from '../messages/forwarding.ts';
import type { Network, Session } from '../network.ts';
import { nameOf } from '../ports.ts';
import type { Outbox } from '../signal/outbox.ts';
import { bytesOf, children, type Node, node } from '../transport/nodes.ts';
import { groupedReceipt, groupOf } from './grouped-receipts.ts';
import { createOutstanding } from './outstanding.ts';

/** Puts a piece of news on the wire. Undefined for what this device need not hear. */
export type Writer = (item: MailboxItem, device: LinkedDevice) => Promise<Node | undefined>;

/** Writes a message anew for a device that could not read it. */
export type Rewriter = (item: MailboxItem, device: LinkedDevice, retry: Node) => Promise<Node | undefined>;

/** Carries the mailbox of one device to its client, item by item, and acknowledges what the client has answered for. */
export interface MailboxDelivery {
  carry(item: MailboxItem): void;
  /** Sends `stanza` after everything that was carried before. */
  afterwards(stanza: Node): void;
  /** A receipt or an ack of the client. */
  answered(stanza: Node): void;
  /** A retry receipt: the client could not read a message. */
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
  const outstanding = createOutstanding();
  const carried = new Map<number, MailboxItem>();
  /** The receipts that were handed over last, as long as more of their kind may join them. */
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
      .then(letOthersIn)
      .then(job)
      .catch((error: unknown) => {
        log.warn({ session: device.sessionId, error: nameOf(error) }, 'not carried');
      });
  };

  const send = (stanza: Node, ...items: readonly MailboxItem[]): void => {
    for (const item of items) {
      if (item.volatile) continue;
      carried.set(item.id, item);
      outstanding.add(stanza, item.id);
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
        // what is handed over from here on comes after what is sent now
        if (group === mine) group = undefined;
        return deliverGroup(mine.items);
      });
    },
    afterwards: (stanza) => queue(() => session.send(stanza)),
    answered: (stanza) => acknowledge(outstanding.settle(stanza)),

    retry(receipt) {
      const messageId = receipt.attrs.id ?? '';
      outstanding.expectNack(messageId);
      for (const id of outstanding.carrying(messageId)) {
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

  /** What another device wrote has been carried as it was; the rest is between the two of them. */
  function askAuthor(item: MailboxItem, by: SessionId, receipt: Node): void {
    const author = world.devices.get(by);
    world.transaction(() => {
      if (author) forwarding.retry(device, author, receipt, clock.now());
      acknowledge([item.id]);
    });
  }
}

/** Encrypting is all computation: without a pause, hundreds of waiting messages would keep the whole network silent for seconds. */
function letOthersIn(): Promise<void> {
  // biome-ignore lint/style/noRestrictedGlobals: it waits for a turn of the event loop, not for time
  return new Promise((resolve) => setImmediate(resolve));
}

/** So far from the end there is ciphertext or its seal, whatever the type: what opens a session has a few open bytes behind that. */
const SEALED_AT = 12;

/** No client can read this: a byte of each ciphertext is another one. */
function damaged(stanza: Node): Node {
  const content = children(stanza).map((part) => {
    const bytes = part.tag === 'enc' ? bytesOf(part) : undefined;
    if (!bytes) return part;
    const at = Math.max(0, bytes.length - SEALED_AT);
    return node('enc', part.attrs, Buffer.from(bytes.with(at, (bytes[at] ?? 0) ^ 1)));
  });
  return node(stanza.tag, stanza.attrs, content);
}

/** Tells the client that this waited for it. */
function markedOffline(stanza: Node): Node {
  return node(stanza.tag, { ...stanza.attrs, offline: 1 }, stanza.content);
}
