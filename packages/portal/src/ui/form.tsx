import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Problem } from '../api/index.ts';
import { ErrorNote } from './error-note.tsx';
import { FormProblemContext } from './form-problem.ts';

/** Fields and, below them, what they were refused for; the field that it is about is marked and described by it. */
export function Form({
  problem,
  onSubmit,
  foot,
  children,
}: {
  problem: Problem | undefined;
  onSubmit: () => void;
  /** The buttons, below the problem. */
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
