export interface Window {
  /** First rendered row. */
  readonly first: number;
  /** Index behind the last rendered row. */
  readonly end: number;
}

/** Rows rendered beyond the visible ones, so that quick scrolling shows no gaps. */
const OVERSCAN = 12;
/** Lists up to this length are rendered whole, so that the browser's search finds every row. */
const WHOLE = 200;

/** Selects the rows to render when the list begins `top` below the upper edge of the window. */
export function selectVisibleRows(list: {
  rows: number;
  rowHeight: number;
  top: number;
  height: number;
}): Window {
  const { rows, rowHeight, top, height } = list;
  if (rows <= WHOLE) return { first: 0, end: rows };
  const first = Math.floor(-top / rowHeight) - OVERSCAN;
  const end = Math.ceil((height - top) / rowHeight) + OVERSCAN;
  return { first: clamp(first, rows), end: clamp(end, rows) };
}

function clamp(row: number, rows: number): number {
  return Math.min(Math.max(row, 0), rows);
}
