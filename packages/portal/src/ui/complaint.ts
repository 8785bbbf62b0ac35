import type { Problem } from '../api/index.ts';
import { sentence } from './format.ts';

/** What the gateway had to say about one field: its words begin with the name of the field, and its place in it. */
export function complaintAbout(name: string, problem: Problem | undefined): string | undefined {
  const [field] = problem?.message.split(/[ [.]/) ?? [];
  return problem?.status === 400 && field === name ? sentence(problem.message) : undefined;
}
