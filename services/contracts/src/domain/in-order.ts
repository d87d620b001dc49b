/** By `sortOrder`, which is the place it was sent at where none was given; then as sent. */
export function inOrder<Item extends { sortOrder?: number | null | undefined }>(items: readonly Item[]): Item[] {
  return items
    .map((item, index) => ({ item, place: item.sortOrder ?? index }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
