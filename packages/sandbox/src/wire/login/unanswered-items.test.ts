import { describe, expect, it } from 'vitest';
import { node } from '../transport/nodes.ts';
import { createUnansweredItems } from './unanswered-items.ts';

const message = (id: string) => node('message', { id, from: '1@s.whatsapp.net' });
const receipt = (id: string, type?: string) => node('receipt', { id, to: '1@s.whatsapp.net', type });
const ack = (id: string, error?: string) => node('ack', { class: 'message', id, error });

describe('an unanswered message', () => {
  it('is answered by a receipt of any kind, once', () => {
    const unansweredItems = createUnansweredItems();
    unansweredItems.add(message('A'), 1);
    expect(unansweredItems.settle(receipt('A', 'inactive'))).toEqual([1]);
    expect(unansweredItems.settle(receipt('A', 'read'))).toEqual([]);
  });

  it('counts for both when it was sent twice under one id', () => {
    const unansweredItems = createUnansweredItems();
    unansweredItems.add(message('A'), 1);
    unansweredItems.add(message('A'), 2);
    expect(unansweredItems.settle(receipt('A'))).toEqual([1, 2]);
  });

  it('is answered with all others that a receipt lists', () => {
    const unansweredItems = createUnansweredItems();
    for (const [id, item] of [
      ['A', 1],
      ['B', 2],
      ['C', 3],
    ] as const)
      unansweredItems.add(message(id), item);
    const list = node('list', {}, [node('item', { id: 'B' }), node('item', { id: 'X' })]);
    expect(unansweredItems.settle(node('receipt', { id: 'A' }, [list]))).toEqual([1, 2]);
    expect(unansweredItems.carrying('C')).toEqual([3]);
  });

  it('is answered by an error ack of the client', () => {
    const unansweredItems = createUnansweredItems();
    unansweredItems.add(message('A'), 1);
    expect(unansweredItems.settle(ack('A', '487'))).toEqual([1]);
  });

  it('is not answered by a retry receipt, nor by the error ack that follows', () => {
    const unansweredItems = createUnansweredItems();
    unansweredItems.add(message('A'), 1);
    expect(unansweredItems.settle(receipt('A', 'retry'))).toEqual([]);
    unansweredItems.expectNack('A');
    expect(unansweredItems.settle(ack('A', '500'))).toEqual([]);
    expect(unansweredItems.carrying('A')).toEqual([1]);
    expect(unansweredItems.settle(ack('A', '500'))).toEqual([1]);
  });
});

describe('anything else', () => {
  it('is answered by an ack with the same attributes', () => {
    const unansweredItems = createUnansweredItems();
    unansweredItems.add(node('receipt', { id: 'A', from: '1@g.us', participant: '2@lid' }), 1);
    unansweredItems.add(node('receipt', { id: 'A', from: '1@g.us', participant: '2@lid', type: 'read' }), 2);
    unansweredItems.add(node('receipt', { id: 'A', from: '1@g.us', participant: '3@lid' }), 3);
    unansweredItems.add(node('notification', { id: 'A', from: '1@g.us', type: 'w:gp2' }), 4);
    const about = { class: 'receipt', id: 'A', to: '1@g.us' };
    expect(unansweredItems.settle(node('ack', { ...about, participant: '2@lid', type: 'read' }))).toEqual([
      2,
    ]);
    expect(unansweredItems.settle(node('ack', { ...about, participant: '3@lid' }))).toEqual([3]);
    expect(unansweredItems.settle(node('ack', { ...about, class: 'notification', type: 'w:gp2' }))).toEqual([
      4,
    ]);
    expect(unansweredItems.settle(node('ack', { ...about, participant: '2@lid' }))).toEqual([1]);
  });
});
