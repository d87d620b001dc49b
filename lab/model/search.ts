import type { StepName } from './names.ts';

/** One transaction or one send of a process, or one fault from outside. */
export interface Step<State> {
  name: StepName;
  next: State;
  words: () => string;
}

export interface Protocol<State> {
  start: State;
  /** All possible next steps. */
  steps: (state: State) => Iterable<Step<State>>;
  /** Maps all states that differ only in the names of interchangeable things to one. */
  canonical: (state: State) => State;
  /** The rule that a state violates; null if it violates none. */
  broken: (state: State) => string | null;
  /** After healing nothing fails any more: messages in flight are lost, and every process was restarted. */
  healed: (state: State) => State;
  /** The steps that then happen by themselves. */
  goesOn: ReadonlySet<StepName>;
  /** The unfinished work when no such step is left; null if there is none. */
  unfinished: (state: State) => string | null;
}

export interface Explored {
  states: number;
  steps: number;
  depth: number;
  seconds: number;
  /** False if the limit of states was reached. */
  isWhole: boolean;
  names: ReadonlySet<StepName>;
  found: { rule: string; story: readonly string[] } | null;
}

/** Visits every state, breadth-first: no shorter story leads to a violation that it finds. */
export function explore<State>(protocol: Protocol<State>, mostStates: number): Explored {
  const startedAt = performance.now();
  const search = new Search(protocol);
  while (search.found === null && search.goDeeper(mostStates));
  const { size: states, depth, isWhole, names, found, steps } = search;
  return { states, steps, depth, seconds: (performance.now() - startedAt) / 1000, isWhole, names, found };
}

class Search<State> {
  found: Explored['found'] = null;
  depth = 0;
  steps = 0;
  isWhole = true;
  readonly names = new Set<StepName>();
  private readonly places = new Map<string, number>();
  private readonly cameFrom: number[] = [];
  private frontier: State[] = [];
  private readonly drained = new Map<string, string | null>();

  private readonly protocol: Protocol<State>;

  constructor(protocol: Protocol<State>) {
    this.protocol = protocol;
    this.visit(protocol.canonical(protocol.start), -1);
  }

  get size(): number {
    return this.places.size;
  }

  /** False if there are no new states. */
  goDeeper(mostStates: number): boolean {
    const states = this.frontier;
    let place = this.size - states.length;
    this.frontier = [];
    for (const state of states) {
      for (const { name, next } of this.protocol.steps(state)) {
        this.steps += 1;
        this.names.add(name);
        if (next === state) continue;
        this.visit(this.protocol.canonical(next), place);
        if (this.found !== null) return false;
      }
      place += 1;
      this.isWhole = this.size <= mostStates;
      if (!this.isWhole) return false;
    }
    if (this.frontier.length > 0) this.depth += 1;
    return this.frontier.length > 0;
  }

  private visit(state: State, from: number): void {
    const key = keyOf(state);
    if (this.places.has(key)) return;
    const place = this.places.size;
    this.places.set(key, place);
    this.cameFrom.push(from);
    this.frontier.push(state);
    const rule = this.protocol.broken(state);
    if (rule !== null) this.found = { rule, story: this.storyOf(place).words };
    else this.requireDrained(state, place);
  }

  private requireDrained(state: State, place: number): void {
    const rule = this.drain(this.protocol.canonical(this.protocol.healed(state)));
    if (rule === null) return;
    const { words, last } = this.storyOf(place);
    const healing = 'everything in flight is lost, every process is started anew, and from here on nothing fails';
    const after = this.goOn(this.protocol.healed(last)).map(({ words: said }) => said());
    this.found = { rule, story: [...words, healing, ...after] };
  }

  /** Takes the remaining steps of a healed state. @returns what is unfinished at the end */
  private drain(state: State): string | null {
    const keys: string[] = [];
    let rule: string | null | undefined;
    for (let now: State | undefined = state; now !== undefined;) {
      const key = keyOf(now);
      rule = this.drained.get(key);
      if (rule !== undefined) break;
      keys.push(key);
      const next: State | undefined = this.nextOf(now, keys)?.next;
      if (next === undefined) rule = this.protocol.unfinished(now);
      now = next && this.protocol.canonical(next);
    }
    for (const key of keys) this.drained.set(key, rule ?? null);
    return rule ?? null;
  }

  private nextOf(state: State, passed: readonly string[]): Step<State> | undefined {
    for (const step of this.protocol.steps(state)) {
      if (!this.protocol.goesOn.has(step.name)) continue;
      if (!passed.includes(keyOf(this.protocol.canonical(step.next)))) return step;
    }
    return undefined;
  }

  private goOn(state: State): Step<State>[] {
    const passed: string[] = [];
    const steps: Step<State>[] = [];
    for (let now = state; ;) {
      passed.push(keyOf(this.protocol.canonical(now)));
      const step = this.nextOf(now, passed);
      if (!step) return steps;
      steps.push(step);
      now = step.next;
    }
  }

  /** Tells the steps with the original names, which `canonical` may have exchanged. */
  private storyOf(place: number): { words: string[]; last: State } {
    const keys = [...this.places.keys()];
    const path: string[] = [];
    for (let at = place; at > 0; at = this.cameFrom[at]!) path.unshift(keys[at]!);
    const words: string[] = [];
    let last = this.protocol.start;
    for (const key of path) {
      const step = [...this.protocol.steps(last)].find(({ next }) => keyOf(this.protocol.canonical(next)) === key)!;
      words.push(step.words());
      last = step.next;
    }
    return { words, last };
  }
}

/** Words take one character, the same one for the same word during a run. */
const words = new Map<string, string>();
const FIRST_WORD = 0x60;
const FIRST_NUMBER = 0x20;
const MAX_KEPT = 0x10000 - FIRST_NUMBER;

const PLACE = Symbol('place');

/** The shortest text that distinguishes a state from all others of its shape: about one character per value. */
function keyOf(value: unknown): string {
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
