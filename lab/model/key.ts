/** Words take one character, the same one for the same word during a run. */
const words = new Map<string, string>();
const FIRST_WORD = 0x60;
const FIRST_NUMBER = 0x20;
const MAX_KEPT = 0x10000 - FIRST_NUMBER;

const PLACE = Symbol('place');

/** The shortest text that distinguishes a state from all others of its shape: about one character per value. */
export function keyOf(value: unknown): string {
  if (typeof value === 'number') return String.fromCharCode(FIRST_NUMBER + value);
  if (typeof value === 'string') return wordOf(value);
  if (typeof value === 'boolean') return value ? '\x05' : '\x04';
  if (value === null) return '\x03';
  const place = placeOf(value as object);
  if (place !== undefined) return String.fromCharCode(FIRST_NUMBER + place);
  return Array.isArray(value) ? `\x01${keyOfAll(value)}\x02` : keyOfAll(Object.values(value as object));
}

function keyOfAll(values: readonly unknown[]): string {
  let key = '';
  for (const value of values) key += keyOf(value);
  return key;
}

function wordOf(word: string): string {
  const known = words.get(word);
  if (known !== undefined) return known;
  const next = String.fromCharCode(FIRST_WORD + words.size);
  words.set(word, next);
  return next;
}

function placeOf(thing: object): number | undefined {
  return (thing as { [PLACE]?: number })[PLACE];
}

/** Gives equal things of one shape the same object, whose key is a single character. */
export function keeper<T extends object>(): (thing: T) => T {
  const things = new Map<string, T>();
  return (thing) => {
    if (placeOf(thing) !== undefined) return thing;
    const key = keyOf(thing);
    const known = things.get(key);
    if (known) return known;
    if (things.size === MAX_KEPT)
      throw new RangeError('There are more different rows than characters: choose smaller bounds');
    // Not enumerable: a changed copy does not have it.
    Object.defineProperty(thing, PLACE, { value: things.size });
    things.set(key, thing);
    return thing;
  };
}

/** Kept things, ordered by when they were first kept. */
export function inOrder<T extends object>(things: readonly T[]): readonly T[] {
  return things.toSorted((a, b) => placeOf(a)! - placeOf(b)!);
}

/** Interchangeable things, in an order that does not depend on their names. */
export function sorted<T>(things: readonly T[]): readonly T[] {
  if (things.length < 2) return things;
  const keyed = things.map((thing) => ({ thing, key: keyOf(thing) }));
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ thing }) => thing);
}

/** A copy of a list with one item replaced. */
export function replaced<T>(items: readonly T[], place: number, item: T): readonly T[] {
  return items.map((each, n) => (n === place ? item : each));
}
