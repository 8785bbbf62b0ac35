import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type GrowingList, useAction } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { words } from '../texts/common.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';

/**
 * Below a table of which only a part is shown. Focus goes on to the first of the rows that were loaded, because the button may be gone by then;
 * back to the button when none came.
 */
export function More<T>({ list: { more }, shown }: { list: Pick<GrowingList<T>, 'more'>; shown: number }) {
  const place = useRef<HTMLDivElement>(null);
  const askedAt = useRef<number | undefined>(undefined);
  const grownTo = useSignal<number | undefined>(undefined);
  const { run, busy, problem } = useAction(async () => more?.());
  useEffect(() => {
    const before = askedAt.current;
    if (before === undefined || busy.value) return;
    askedAt.current = undefined;
    if (shown > before) {
      grownTo.value = shown;
      focusRow(place.current?.previousElementSibling, before);
    } else place.current?.querySelector('button')?.focus();
  }, [shown, busy.value]);

  const hasGrown = grownTo.value === shown;
  // Also there while its last rows are on their way: it finds them by its own place.
  if (!more && !hasGrown && askedAt.current === undefined) return null;
  return (
    <div class="card-note row" ref={place}>
      {problem.value && <ErrorNote problem={problem.value} />}
      {more && (
        <Button
          small
          busy={busy.value}
          onClick={() => {
            askedAt.current = shown;
            inBackground(run());
          }}
        >
          {words.more}
        </Button>
      )}
      <span class="quiet small" role="status">
        {hasGrown && words.shown(shown, !more)}
      </span>
    </div>
  );
}

/** Below a table that shows a beginning, and of which no more can be shown. */
export function NotAll({ children }: { children: string }) {
  return <p class="card-note quiet small">{children}</p>;
}

/** Rows are numbered as `Table` does: the heads of the columns are the first. */
function focusRow(table: Element | null | undefined, index: number): void {
  const row = table?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"]`);
  if (!row) return;
  row.tabIndex = -1;
  row.focus();
}
