import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Problem } from '../api/index.ts';
import { ErrorNote } from './error-note.tsx';
import { FormProblemContext } from './form-problem.ts';

/** Fields with the refusal below them; the refused field is marked and described by it. */
export function Form({
  problem,
  onSubmit,
  foot,
  children,
}: {
  problem: Problem | undefined;
  onSubmit: () => void;
  /** Buttons, below the problem. */
  foot: ComponentChildren;
  children: ComponentChildren;
}) {
  const noteId = useId();
  return (
    <FormProblemContext.Provider value={{ problem, noteId }}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {problem && <ErrorNote problem={problem} id={noteId} />}
        {foot}
      </form>
    </FormProblemContext.Provider>
  );
}
