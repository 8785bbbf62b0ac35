/** Refusal of a request: the field, and one sentence that names it. */
export type Complaint = { readonly field: string; readonly text: string };

export type Refused = { readonly ok: false } & Complaint;
export type Parsed<T> = { readonly ok: true; readonly value: T } | Refused;

export function complaint(field: string, text: string): Complaint {
  return { field, text };
}

export function refused({ field, text }: Complaint): Refused {
  return { ok: false, field, text };
}

/** Formats a field for a sentence: `interactive_buttons[0].url`. */
export function fieldPath(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}[${key}]`;
  return parent === '' ? key : `${parent}.${key}`;
}
