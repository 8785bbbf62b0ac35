import type { Problem } from '../api/index.ts';
import { sentence } from './format.ts';

/** Invalid, or taken. */
const REFUSALS: readonly number[] = [400, 409];

/** Message of a refusal for one field. The gateway's text begins with the field's name and the path in it. */
export function complaintAbout(name: string, problem: Problem | undefined): string | undefined {
  if (!problem || !REFUSALS.includes(problem.status)) return undefined;
  const place = problem.field ?? problem.message.split(' ', 1)[0] ?? '';
  const isAboutIt = place === name || place.startsWith(`${name}.`) || place.startsWith(`${name}[`);
  return isAboutIt ? sentence(problem.message) : undefined;
}
