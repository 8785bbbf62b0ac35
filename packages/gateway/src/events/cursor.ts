import { fault } from '#kernel';
import type { Position } from './store.ts';

/** A position as callers carry it around; what it is made of is not theirs to know. */
export function formatCursor({ tx, seq }: Position): string {
  return `${tx.toString(36)}-${seq.toString(36)}`;
}

export function parseCursor(text: string): Position {
  const [, tx, seq] = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})$/.exec(text) ?? [];
  if (tx === undefined || seq === undefined) throw fault('cursor_invalid');
  return { tx: Number.parseInt(tx, 36), seq: Number.parseInt(seq, 36) };
}

export const START_OF_LOG: Position = { tx: 0, seq: 0 };
