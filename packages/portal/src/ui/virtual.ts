export interface Window {
  /** The first row that is rendered. */
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
}

/** Rendered beyond what is seen, so that quick scrolling shows no gaps. */
const AROUND = 12;
/** Lists up to this length are rendered whole: searching in the page then finds everything. */
const WHOLE = 200;

/** Which of many rows of the same height have to be there, when the list begins `top` below the upper edge of the window. */
export function windowOf(list: { rows: number; rowHeight: number; top: number; height: number }): Window {
  const { rows, rowHeight, top, height } = list;
  if (rows <= WHOLE) return { first: 0, end: rows };
  const first = Math.floor(-top / rowHeight) - AROUND;
  const end = Math.ceil((height - top) / rowHeight) + AROUND;
  return { first: clamp(first, rows), end: clamp(end, rows) };
}

function clamp(row: number, rows: number): number {
  return Math.min(Math.max(row, 0), rows);
}
