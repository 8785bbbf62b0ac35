/** A small change of a source: what stands between two places is replaced. */
export interface Edit {
  /** What kind of change it is. */
  readonly mutator: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function apply(source: string, { start, end, text }: Pick<Edit, 'start' | 'end' | 'text'>): string {
  return source.slice(0, start) + text + source.slice(end);
}
