import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type GrowingList, useAction } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { words } from '../texts/common.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';

/**
 * Button below a partly loaded table. Moves the focus to the first new row, because the button may be gone by then; back to the
 * button when none was loaded.
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
  // Stays while the last rows load: it finds them by its own position.
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

/** Note below a table that is cut off and cannot be extended. */
export function NotAll({ children }: { children: string }) {
  return <p class="card-note quiet small">{children}</p>;
}

/** Row numbers are those of `Table`, which counts the header as the first row. */
function focusRow(table: Element | null | undefined, index: number): void {
  const row = table?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"]`);
  if (!row) return;
  row.tabIndex = -1;
  row.focus();
}
