import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalogue, type EventDefinition } from '../src/catalogue.js';

// While a release is rolled out its processes run beside those of the release before, in any order. So the release
// before must be able to read what it publishes, and the other way round. released.json is the catalogue of the release
// before; when a release is cut: RELEASE=1 npm test -- packages/events/test/released

interface Shape {
  required?: readonly string[];
  properties: Readonly<Record<string, unknown>>;
}

type Catalogue = Readonly<
  Record<string, Pick<EventDefinition, 'consumers' | 'heardOnly' | 'isAwaited'> & { body: Shape }>
>;

const file = new URL('../released.json', import.meta.url);

function plain(value: unknown): Catalogue {
  return JSON.parse(JSON.stringify(value)) as Catalogue;
}

/** Describes what in `now` could not be rolled out beside `before`. */
function conflicts(before: Catalogue, now: Catalogue): string[] {
  return Object.entries(now).flatMap(([type, { consumers, heardOnly, isAwaited, body }]) => {
    const known = before[type];
    // An older consumer holds an event that it does not know until it is replaced, and no answer waits meanwhile.
    if (heardOnly || (!known && isAwaited === false)) return [];
    if (!known) return [`${type} is new: heardOnly, until a release that hears it is out`];
    const unheard = consumers.filter((each) => !known.consumers.includes(each));
    return [
      ...unheard.map((each) => `${type}: ${each} does not hear it yet; let a release with its handler go first`),
      ...fieldConflicts(known.body, body).map((conflict) => `${type}: ${conflict}`),
    ];
  });
}

function fieldConflicts(before: Shape, now: Shape): string[] {
  const required = ({ required: names = [] }: Shape, name: string): boolean => names.includes(name);
  const changed = Object.entries(before.properties).filter(
    ([name, shape]) =>
      JSON.stringify(now.properties[name]) !== JSON.stringify(shape) || required(before, name) !== required(now, name),
  );
  const added = Object.keys(now.properties).filter((name) => !(name in before.properties) && required(now, name));
  return [
    ...changed.map(([name]) => `${name} is another than before; add a field beside it`),
    ...added.map((name) => `${name} is new and must be optional: the release before does not send it`),
  ];
}

it('the release before can read every event of this release', () => {
  // oxlint-disable-next-line node/no-process-env -- how whoever cuts a release has it written
  if (process.env['RELEASE'] !== undefined) writeFileSync(file, `${JSON.stringify(catalogue, null, 2)}\n`);
  expect(conflicts(plain(JSON.parse(readFileSync(file, 'utf8'))), plain(catalogue))).toEqual([]);
});

const paid: Catalogue = {
  'thing.paid': { consumers: ['review'], body: { required: ['id'], properties: { id: { type: 'string' } } } },
};
const changedTo = (change: object): Catalogue => ({ 'thing.paid': { ...paid['thing.paid']!, ...change } });

it.each<[string, Catalogue, string[]]>([
  [
    'a new type',
    { ...paid, 'thing.lost': paid['thing.paid']! },
    ['thing.lost is new: heardOnly, until a release that hears it is out'],
  ],
  ['a new type that is only heard', { ...paid, 'thing.lost': { ...paid['thing.paid']!, heardOnly: true } }, []],
  ['a new type that no answer waits for', { ...paid, 'thing.lost': { ...paid['thing.paid']!, isAwaited: false } }, []],
  [
    'a new consumer',
    changedTo({ consumers: ['review', 'payments'] }),
    ['thing.paid: payments does not hear it yet; let a release with its handler go first'],
  ],
  [
    'a field of another shape',
    changedTo({ body: { required: ['id'], properties: { id: { type: 'number' } } } }),
    ['thing.paid: id is another than before; add a field beside it'],
  ],
  [
    'a field that is gone',
    changedTo({ body: { required: [], properties: {} } }),
    ['thing.paid: id is another than before; add a field beside it'],
  ],
  [
    'a new field that must be there',
    changedTo({ body: { required: ['id', 'at'], properties: { ...paid['thing.paid']!.body.properties, at: {} } } }),
    ['thing.paid: at is new and must be optional: the release before does not send it'],
  ],
  [
    'a new field that may be there',
    changedTo({ body: { required: ['id'], properties: { ...paid['thing.paid']!.body.properties, at: {} } } }),
    [],
  ],
])('%s is reported or accepted', (_, now, expected) => {
  expect(conflicts(paid, now)).toEqual(expected);
});
