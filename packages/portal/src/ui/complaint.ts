import type { Problem } from '../api/index.ts';
import { sentence } from './format.ts';

/** It is wrong, or it is taken. */
const REFUSALS: readonly number[] = [400, 409];

/** What the gateway had to say about one field: its words begin with the name of the field, and its place in it. */
export function complaintAbout(name: string, problem: Problem | undefined): string | undefined {
  const field = problem?.field ?? problem?.message.split(/[ [.]/)[0];
  return problem && REFUSALS.includes(problem.status) && field === name
    ? sentence(problem.message)
    : undefined;
}
