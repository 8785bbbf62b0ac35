import type { Problem } from '../api/index.ts';
import { sentence } from './format.ts';

/** It is wrong, or it is taken. */
const REFUSALS: readonly number[] = [400, 409];

/** What the gateway had to say about one field: its words begin with the name of the field, and its place in it. */
export function complaintAbout(name: string, problem: Problem | undefined): string | undefined {
  if (!problem || !REFUSALS.includes(problem.status)) return undefined;
  const place = problem.field ?? problem.message.split(' ', 1)[0] ?? '';
  const isAboutIt = place === name || place.startsWith(`${name}.`) || place.startsWith(`${name}[`);
  return isAboutIt ? sentence(problem.message) : undefined;
}
