/** Replacement of a range of a source. */
export interface Edit {
  /** Kind of the mutation. */
  readonly mutator: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function apply(source: string, { start, end, text }: Pick<Edit, 'start' | 'end' | 'text'>): string {
  return source.slice(0, start) + text + source.slice(end);
}
