/** Query of one page: the first, or the one behind a cursor. */
export interface PageQuery {
  readonly cursor?: string;
}

interface Page {
  readonly next_cursor: string | null;
}

/** Loads all pages of a list, or the first few, and joins them into one. */
export async function wholeList<P extends Page>(
  load: (page: PageQuery) => Promise<P>,
  pagesMax = Number.POSITIVE_INFINITY,
): Promise<P> {
  let whole = await load({});
  for (let pages = 1; whole.next_cursor !== null && pages < pagesMax; pages++)
    whole = joined(whole, await load({ cursor: whole.next_cursor }));
  return whole;
}

/** Concatenates the lists of both pages; other fields come from the later one. */
function joined<P extends Page>(before: P, next: P): P {
  const known = new Map<string, unknown>(Object.entries(before));
  const lists = Object.entries(next).flatMap(([name, items]) => {
    const earlier = known.get(name);
    return Array.isArray(items) && Array.isArray(earlier) ? [[name, [...earlier, ...items]]] : [];
  });
  return { ...next, ...Object.fromEntries(lists) };
}
