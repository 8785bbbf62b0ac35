import type { Node } from '../transport/nodes.ts';

/**
 * Mailbox items that were sent and are unanswered. A chat message is answered by a receipt (or an error ack) with its id; every
 * other item by an ack that repeats the stanza's own attributes.
 */
export interface UnansweredItems {
  add(stanza: Node, itemId: number): void;
  /** Returns and removes the items that this receipt or ack answers. */
  settle(answer: Node): number[];
  /** The unanswered items of this message. */
  carrying(messageId: string): number[];
  /** A device requested the message again; its error ack that follows must not count as an answer. */
  expectNack(messageId: string): void;
}

const UNHANDLED_ERROR = '500';

export function createUnansweredItems(): UnansweredItems {
  const items = new Map<string, number[]>();
  const nacks = new Set<string>();

  const take = (key: string): number[] => {
    const found = items.get(key) ?? [];
    items.delete(key);
    return found;
  };

  return {
    add(stanza, itemId) {
      const key = stanzaKey(stanza);
      items.set(key, [...(items.get(key) ?? []), itemId]);
    },

    settle(answer) {
      const { id = '', type, error } = answer.attrs;
      if (answer.tag === 'receipt')
        return type === 'retry' ? [] : [id, ...listedIds(answer)].flatMap(takeMessage);
      if (answer.attrs.class !== 'message') return take(ackKey(answer));
      if (error === UNHANDLED_ERROR && nacks.delete(id)) return [];
      return takeMessage(id);
    },

    carrying: (messageId) => items.get(messageKey(messageId)) ?? [],
    expectNack: (messageId) => void nacks.add(messageId),
  };

  function takeMessage(id: string): number[] {
    return take(messageKey(id));
  }
}

function messageKey(id: string): string {
  return `message/${id}`;
}

function stanzaKey({ tag, attrs }: Node): string {
  if (tag === 'message') return messageKey(attrs.id ?? '');
  return [tag, attrs.id, attrs.from, attrs.participant, attrs.type].join('/');
}

function ackKey({ attrs }: Node): string {
  return [attrs.class, attrs.id, attrs.to, attrs.participant, attrs.type].join('/');
}

function listedIds(receipt: Node): string[] {
  if (!Array.isArray(receipt.content)) return [];
  return receipt.content
    .filter((part) => part.tag === 'list')
    .flatMap((list) => (Array.isArray(list.content) ? list.content : []))
    .flatMap((item) => item.attrs.id ?? []);
}
