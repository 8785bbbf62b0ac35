import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Problem } from '../api/index.ts';
import { complaintAbout } from './complaint.ts';

/** Refusal of a form, and the place that shows it. */
interface FormProblem {
  readonly problem: Problem | undefined;
  readonly noteId: string;
}

export const FormProblemContext = createContext<FormProblem | undefined>(undefined);

/** Id of the note about a field that was refused; undefined otherwise. */
export function useComplaintNote(name: string | undefined): string | undefined {
  const form = useContext(FormProblemContext);
  return form && name !== undefined && complaintAbout(name, form.problem) !== undefined
    ? form.noteId
    : undefined;
}
