/** Shape of JSON: a type, alternatives with bars between, a list of one shape, or keys with shapes; `?` after a key: optional. */
export type Shape = string | readonly [Shape] | { readonly [key: string]: Shape };

/** Differences of an answer from a shape, as `key: difference`, with `[]` for list items. */
export function differences(answer: unknown, shape: Shape, at = ''): string[] {
  if (typeof shape === 'string') {
    const type = typeOf(answer);
    return shape === 'any' || shape.split('|').includes(type) ? [] : [`${at}: ${type}, not ${shape}`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(answer)) return [`${at}: ${typeOf(answer)}, not list`];
    const [each] = shape as readonly [Shape];
    return unique(answer.flatMap((item) => differences(item, each, `${at}[]`)));
  }
  if (typeof answer !== 'object' || answer === null) return [`${at}: ${typeOf(answer)}, not object`];
  const wanted = new Map(
    Object.entries(shape).map(([key, value]) => [
      key.replace(/\?$/, ''),
      { value, optional: key.endsWith('?') },
    ]),
  );
  const place = (key: string): string => (at === '' ? key : `${at}.${key}`);
  const given = new Map(Object.entries(answer));
  return [
    ...[...wanted].flatMap(([key, { value, optional }]) => {
      if (given.has(key)) return differences(given.get(key), value, place(key));
      return optional ? [] : [`${place(key)}: absent`];
    }),
    ...[...given.keys()].filter((key) => !wanted.has(key)).map((key) => `${place(key)}: ours alone`),
  ];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function unique(found: readonly string[]): string[] {
  return [...new Set(found)];
}
