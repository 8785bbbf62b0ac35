/** Why something cannot be backed up, restored or sealed anew, in one sentence for the operator. */
export class SafekeepingError extends Error {
  override readonly name = 'SafekeepingError';
}
