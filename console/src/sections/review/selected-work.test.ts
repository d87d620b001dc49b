import { newId } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { choiceOf, readChoices } from './selected-work.js';

it('a form submits each selected piece once', () => {
  const [id, operationId] = [newId(), newId()];
  const work = { kind: 'timesheet', id, version: 'v-1_x' } as const;
  const body = { piece: [choiceOf(work), choiceOf(work, operationId)] };
  expect(readChoices({ body })).toEqual([{ ...work, operationId }]);
  expect(readChoices({ body: { piece: choiceOf(work) } })).toEqual([{ ...work, operationId: '' }]);
});

it('a group selects all its pieces, and no piece is read twice', () => {
  const pieces = [newId(), newId()].map((id) => choiceOf({ kind: 'timesheet', id, version: 'v' }));
  const chosen = readChoices({ body: { piece: [pieces.join(' '), pieces[0]] } });
  expect(chosen.map((each) => choiceOf(each))).toEqual(pieces);
});

it.each(['', 'timesheet', 'payment.01a20576-19b3-7677-adfa-5cb16129466e.v', 'timesheet.none.v', 'toString.x.y'])(
  'ignores values that our forms never send: %s',
  (piece) => {
    expect(readChoices({ body: { piece: [piece, piece] } })).toEqual([]);
  },
);

it('a form has at most a hundred pieces', () => {
  const piece = Array.from({ length: 200 }, () => choiceOf({ kind: 'milestone', id: newId(), version: 'v' }));
  expect(readChoices({ body: { piece } })).toHaveLength(100);
});
