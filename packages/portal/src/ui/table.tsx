import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import './table.css';
import { selectVisibleRows } from './virtual.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Share of the width; 1 when absent. */
  readonly share?: number;
  /** Hidden on narrow screens. */
  readonly secondary?: boolean;
  /** Aligned to the right, for figures and buttons. */
  readonly atEnd?: boolean;
}

/** As in table.css. */
const ROW_HEIGHT = 46;
const NEAR_THE_END = 20;

/**
 * Rows of one height; long tables render only visible rows. `hrefOf` makes the first cell of a row a link to its page, `onOpen` a
 * button that opens it here; `onEnd` is called when the last rows become visible.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  hrefOf,
  onOpen,
  onEnd,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  hrefOf?: ((row: Row) => string) | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  onEnd?: (() => void) | undefined;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const place = useSignal({ top: 0, height: 1_000 });
  useEffect(() => {
    const look = (): void => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      place.value = { top, height: window.innerHeight };
    };
    look();
    // Captures, because scroll events of an inner scroll area do not bubble.
    document.addEventListener('scroll', look, { passive: true, capture: true });
    window.addEventListener('resize', look);
    return () => {
      document.removeEventListener('scroll', look, { capture: true });
      window.removeEventListener('resize', look);
    };
  }, []);

  const { first, end } = selectVisibleRows({ rows: rows.length, rowHeight: ROW_HEIGHT, ...place.value });
  const lastSeen = Math.ceil((place.value.height - place.value.top) / ROW_HEIGHT);
  const isNearEnd = rows.length > 0 && lastSeen >= rows.length - NEAR_THE_END;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, rows.length]);

  const whole = columns.reduce((sum, { share = 1 }) => sum + share, 0);
  return (
    <div class="table">
      <table aria-label={label} aria-rowcount={rows.length + 1}>
        <colgroup>
          {columns.map(({ title, share = 1, secondary }) => (
            <col
              key={title}
              class={secondary ? 'secondary' : ''}
              style={{ '--share': `${(share / whole) * 100}%` }}
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Spacer rows={first} columns={columns.length} />
          {rows.slice(first, end).map((row, index) => (
            <tr key={keyOf(row)} aria-rowindex={first + index + 2}>
              {columns.map((column, place) => (
                <td key={column.title} class={classOf(column)}>
                  {place === 0 ? <FirstCell {...{ row, column, hrefOf, onOpen }} /> : column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Spacer rows={rows.length - end} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

function FirstCell<Row>({
  row,
  column,
  hrefOf,
  onOpen,
}: {
  row: Row;
  column: Column<Row>;
  hrefOf: ((row: Row) => string) | undefined;
  onOpen: ((row: Row) => void) | undefined;
}) {
  const content = column.cell(row);
  if (hrefOf) {
    return (
      <a class="row-open" href={hrefOf(row)}>
        {content}
      </a>
    );
  }
  if (!onOpen) return <>{content}</>;
  return (
    <button type="button" class="row-open" onClick={() => onOpen(row)}>
      {content}
    </button>
  );
}

function classOf({ secondary, atEnd }: Pick<Column<never>, 'secondary' | 'atEnd'>): string {
  return [secondary && 'secondary', atEnd && 'at-end'].filter(Boolean).join(' ');
}

/** Takes the height of the rows that are not rendered. */
function Spacer({ rows, columns }: { rows: number; columns: number }) {
  if (rows === 0) return null;
  return (
    <tr class="spacer">
      <td colSpan={columns} style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  );
}
