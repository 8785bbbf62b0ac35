import { describe, expect, it } from 'vitest';
import { node } from '../transport/nodes.ts';
import { createOutstanding } from './outstanding.ts';

const message = (id: string) => node('message', { id, from: '1@s.whatsapp.net' });
const receipt = (id: string, type?: string) => node('receipt', { id, to: '1@s.whatsapp.net', type });
const ack = (id: string, error?: string) => node('ack', { class: 'message', id, error });

describe('an unanswered message', () => {
  it('is answered by a receipt of any kind, once', () => {
    const outstanding = createOutstanding();
    outstanding.add(message('A'), 1);
    expect(outstanding.settle(receipt('A', 'inactive'))).toEqual([1]);
    expect(outstanding.settle(receipt('A', 'read'))).toEqual([]);
  });

  it('that was sent twice under one id is answered for both', () => {
    const outstanding = createOutstanding();
    outstanding.add(message('A'), 1);
    outstanding.add(message('A'), 2);
    expect(outstanding.settle(receipt('A'))).toEqual([1, 2]);
  });

  it('is answered with all others that a receipt lists', () => {
    const outstanding = createOutstanding();
    for (const [id, item] of [
      ['A', 1],
      ['B', 2],
      ['C', 3],
    ] as const)
      outstanding.add(message(id), item);
    const list = node('list', {}, [node('item', { id: 'B' }), node('item', { id: 'X' })]);
    expect(outstanding.settle(node('receipt', { id: 'A' }, [list]))).toEqual([1, 2]);
    expect(outstanding.carrying('C')).toEqual([3]);
  });

  it('is answered by an error that the client has made its peace with', () => {
    const outstanding = createOutstanding();
    outstanding.add(message('A'), 1);
    expect(outstanding.settle(ack('A', '487'))).toEqual([1]);
  });

  it('is not answered by asking for it again, nor by the error that follows', () => {
    const outstanding = createOutstanding();
    outstanding.add(message('A'), 1);
    expect(outstanding.settle(receipt('A', 'retry'))).toEqual([]);
    outstanding.expectNack('A');
    expect(outstanding.settle(ack('A', '500'))).toEqual([]);
    expect(outstanding.carrying('A')).toEqual([1]);
    expect(outstanding.settle(ack('A', '500'))).toEqual([1]);
  });
});

describe('anything else', () => {
  it('is answered by an ack that names the same thing', () => {
    const outstanding = createOutstanding();
    outstanding.add(node('receipt', { id: 'A', from: '1@g.us', participant: '2@lid' }), 1);
    outstanding.add(node('receipt', { id: 'A', from: '1@g.us', participant: '2@lid', type: 'read' }), 2);
    outstanding.add(node('receipt', { id: 'A', from: '1@g.us', participant: '3@lid' }), 3);
    outstanding.add(node('notification', { id: 'A', from: '1@g.us', type: 'w:gp2' }), 4);
    const about = { class: 'receipt', id: 'A', to: '1@g.us' };
    expect(outstanding.settle(node('ack', { ...about, participant: '2@lid', type: 'read' }))).toEqual([2]);
    expect(outstanding.settle(node('ack', { ...about, participant: '3@lid' }))).toEqual([3]);
    expect(outstanding.settle(node('ack', { ...about, class: 'notification', type: 'w:gp2' }))).toEqual([4]);
    expect(outstanding.settle(node('ack', { ...about, participant: '2@lid' }))).toEqual([1]);
  });
});
