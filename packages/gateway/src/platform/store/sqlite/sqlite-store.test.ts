import { describe, expect, it } from 'vitest';
import { createWriterTurns } from './sqlite-store.ts';

function office() {
  const turns = createWriterTurns();
  const begun: string[] = [];
  const enter = (name: string, taken: Promise<void>) => void taken.then(() => begun.push(name));
  const settled = () => new Promise(setImmediate);
  return {
    turns,
    begun,
    settled,
    transaction: (name: string) => enter(name, turns.takeAlone()),
    batch: (name: string) => enter(name, turns.takeWithOthers()),
  };
}

describe('turns at the writer', () => {
  it('let batches queue inside the thread', async () => {
    const { batch, begun, settled } = office();
    batch('a');
    batch('b');
    await settled();
    expect(begun).toEqual(['a', 'b']);
  });

  it('give a transaction exclusive use of the writer', async () => {
    const { turns, batch, transaction, begun, settled } = office();
    transaction('t');
    batch('a');
    transaction('u');
    await settled();
    expect(begun).toEqual(['t']);
    turns.giveBack();
    await settled();
    expect(begun).toEqual(['t', 'a']);
    turns.giveBack();
    await settled();
    expect(begun).toEqual(['t', 'a', 'u']);
  });

  it('let no transaction wait for batches that came later', async () => {
    const { turns, batch, transaction, begun, settled } = office();
    batch('a');
    batch('b');
    transaction('t');
    batch('c');
    batch('d');
    turns.giveBack();
    await settled();
    expect(begun).toEqual(['a', 'b']);
    turns.giveBack();
    await settled();
    expect(begun).toEqual(['a', 'b', 't']);
    turns.giveBack();
    await settled();
    expect(begun).toEqual(['a', 'b', 't', 'c', 'd']);
  });
});
