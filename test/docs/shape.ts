/**
 * The difference between an answer and the one in a guide, or undefined. Names and types must be the same; values are only
 * compared where they are plain words, such as a status, or the text of an error, since ids and times are new every time.
 */
export function differenceInShape(documented: unknown, actual: unknown, path = 'answer'): string | undefined {
  if (Array.isArray(documented) && Array.isArray(actual)) {
    if (documented.length > 0 && actual.length === 0) return `${path} is empty`;
    return documented.length === 0 ? undefined : differenceInShape(documented[0], actual[0], `${path}[0]`);
  }
  if (isObject(documented) && isObject(actual)) {
    for (const name of new Set([...Object.keys(documented), ...Object.keys(actual)])) {
      if (!(name in documented)) return `${path}.${name} is not documented`;
      if (!(name in actual)) return `${path}.${name} is missing`;
      const difference = differenceInShape(documented[name], actual[name], `${path}.${name}`);
      if (difference) return difference;
    }
    return undefined;
  }
  if (typeof documented !== typeof actual) return `${path} is ${JSON.stringify(actual)}`;
  const isFixed = typeof documented === 'string' && (/^[a-z_]+$/.test(documented) || path.endsWith('.error'));
  return isFixed && documented !== actual ? `${path} is ${JSON.stringify(actual)}` : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
