import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type Complaint, complaint, type Parsed, refused } from './complaint.ts';
import { explain, strangerIn } from './explain.ts';

/**
 * Makes a parser that returns the typed value or one sentence. Valid input costs only the compiled check. Compiles on the first
 * value, so that importing the contract costs nothing. `path` is the field of the value.
 */
export function compileParse<S extends TSchema>(
  schema: S,
): (value: unknown, path?: string) => Parsed<Static<S>> {
  let validator: Validator<Record<never, never>, S> | undefined;
  return (value, path = '') => {
    validator ??= Compile(schema);
    if (strangerIn(schema, value) === undefined && accepts(validator, value)) return { ok: true, value };
    return refused(
      explain(schema, value, path) ?? complaint(path, `${path === '' ? 'body' : path} is not valid`),
    );
  };
}

/** Like `compileParse`, for callers that need only the complaint. */
export function compileCheck(schema: TSchema): (value: unknown) => Complaint | null {
  const parse = compileParse(schema);
  return (value) => {
    const result = parse(value);
    return result.ok ? null : complaint(result.field, result.text);
  };
}

function accepts<S extends TSchema>(
  validator: Validator<Record<never, never>, S>,
  value: unknown,
): value is Static<S> {
  return validator.Check(value);
}
