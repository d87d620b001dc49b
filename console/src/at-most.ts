/** Does the work for each item, for at most `width` of them at the same time; the results are in the order of the items. */
export async function atMost<Item, Result>(
  width: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const takeAll = async (): Promise<void> => {
    for (const [n, item] of left) results[n] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, takeAll));
  return results;
}
