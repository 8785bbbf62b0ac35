import { type GrowingList, useAction } from '../api/index.ts';
import { words } from '../texts/common.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';

/** Below a list of which only a part is shown. */
export function More<T>({ list: { more } }: { list: Pick<GrowingList<T>, 'more'> }) {
  const { run, busy, problem } = useAction(async () => more?.());
  if (!more) return null;
  return (
    <div class="card-note">
      {problem.value && <ErrorNote problem={problem.value} />}
      <Button small busy={busy.value} onClick={() => void run()}>
        {words.more}
      </Button>
    </div>
  );
}
