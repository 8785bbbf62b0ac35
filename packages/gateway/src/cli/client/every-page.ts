/** All items of a list that is answered in pages. */
export async function everyPage<P extends { readonly next_cursor: string | null }, T>(
  load: (page: { cursor?: string }) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): Promise<T[]> {
  const items: T[] = [];
  let page = await load({});
  items.push(...itemsOf(page));
  while (page.next_cursor !== null) {
    page = await load({ cursor: page.next_cursor });
    items.push(...itemsOf(page));
  }
  return items;
}
