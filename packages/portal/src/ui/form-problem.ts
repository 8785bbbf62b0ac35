import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Problem } from '../api/index.ts';
import { complaintAbout } from './complaint.ts';

/** What a form was refused for, and where that is said. */
interface FormProblem {
  readonly problem: Problem | undefined;
  readonly noteId: string;
}

export const FormProblemContext = createContext<FormProblem | undefined>(undefined);

/** The place where it is said what is wrong with a field, when its form was refused because of it. */
export function useComplaintNote(name: string | undefined): string | undefined {
  const form = useContext(FormProblemContext);
  return form && name !== undefined && complaintAbout(name, form.problem) !== undefined
    ? form.noteId
    : undefined;
}
