import { type Fault, fault } from '#kernel';

type UnstorableText = 'NUL' | 'unpaired surrogates';

/**
 * Finds text that the databases do not keep alike, in a value and in all that it holds, names of fields included. PostgreSQL refuses a NUL.
 * An unpaired surrogate becomes U+FFFD: another text when it is read, and two different texts may become the same.
 */
function findUnstorableText(value: unknown): UnstorableText | undefined {
  // A list of its own: the nesting of a body may be deeper than the call stack.
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') {
      if (next.includes('\0')) return 'NUL';
      if (!next.isWellFormed()) return 'unpaired surrogates';
    } else if (typeof next === 'object' && next !== null && !ArrayBuffer.isView(next)) {
      for (const [name, field] of Object.entries(next)) left.push(name, field);
    }
  }
  return undefined;
}

/** The fault for a part of a request that holds such text. `part` is named in its sentence. */
export function checkText(part: string, value: unknown): Fault | undefined {
  const found = findUnstorableText(value);
  return found && fault('invalid_field', { text: `${part} must not contain ${found}` });
}
