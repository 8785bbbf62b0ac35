import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createBoxOpener } from '#kernel';
import type { Command } from '../types.ts';
import { createBatchWriter, createMemoryUsage } from './handlers.ts';

describe('the row cache of commands', () => {
  it('is shared by all users of the same name', () => {
    const memories = createMemoryUsage();
    memories.of<number>('used').set('ada', 1);
    expect(memories.of<number>('used').get('ada')).toBe(1);
    expect(memories.of<number>('limits').get('ada')).toBeUndefined();
  });

  it('is cleared before it exceeds its limit, and then starts anew', () => {
    const memory = createMemoryUsage(3).of<number>('used');
    for (const key of ['a', 'b', 'c', 'c', 'd']) memory.set(key, 1);
    expect(['a', 'b', 'c', 'd'].map((key) => memory.get(key))).toEqual([undefined, undefined, undefined, 1]);
  });

  it('is cleared with a batch that was rolled back', () => {
    const db = new DatabaseSync(':memory:');
    db.exec('CREATE TABLE used (total INTEGER NOT NULL) STRICT; INSERT INTO used VALUES (0)');
    const count: Command<number, number> = {
      name: 'count',
      sqlite(session) {
        const memory = session.memory<number>('total');
        const read = session.prepare<{ total: number }>('SELECT total FROM used');
        const write = session.prepare('UPDATE used SET total = ?');
        return (items) =>
          items.map((item) => {
            const total = (memory.get('total') ?? read.get()?.total ?? 0) + item;
            write.run(total);
            memory.set('total', total);
            if (item < 0) throw new RangeError('less than nothing');
            return total;
          });
      },
      postgres: async () => [],
    };
    const write = createBatchWriter(
      db,
      new Map([['count', count]]),
      createMemoryUsage(),
      createBoxOpener([]),
    );
    const run = (...items: number[]) => write([{ command: 'count', items }]).outputs[0];
    expect(run(1, 2)).toEqual([1, 3]);
    expect(() => run(10, -1)).toThrow();
    expect(run(1)).toEqual([4]);
    expect(db.prepare('SELECT total FROM used').get()).toEqual({ total: 4 });
  });
});
