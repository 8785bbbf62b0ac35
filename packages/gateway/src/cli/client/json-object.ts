import { CommandError } from '../command.ts';

/** Fields that were typed as JSON; anything else is answered with the complaint. */
export function jsonObject(json: string, complaint: string): object {
  try {
    const fields: unknown = JSON.parse(json);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandError(complaint);
}
