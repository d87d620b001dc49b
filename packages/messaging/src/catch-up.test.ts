import { expect, it } from 'vitest';
import { CatchUp } from './catch-up.js';

/** Where a consumer stands: `pending` wait after `delivered`, all up to `acked` is confirmed. */
function at(delivered: number, pending: number, acked = 0) {
  return {
    num_pending: pending,
    delivered: { stream_seq: delivered },
    ack_floor: { stream_seq: acked },
  };
}

it('is done at once when nothing waits', () => {
  const catchUp = new CatchUp();
  catchUp.begin(at(10, 0));
  expect(catchUp.isDone).toBe(true);
});

it('is done when the last of what waited at start is finished, whatever came later', () => {
  const catchUp = new CatchUp();
  catchUp.begin(at(0, 2));
  // The stream keeps nothing before 101.
  for (const sequence of [101, 102, 103]) catchUp.took(sequence);
  catchUp.observe(at(102, 0));
  catchUp.finished(102);
  catchUp.observe(at(103, 40));
  expect(catchUp.isDone).toBe(false);
  catchUp.finished(101);
  catchUp.observe(at(103, 40));
  expect(catchUp.isDone).toBe(true);
});

it('is not done before anything was delivered', () => {
  const catchUp = new CatchUp();
  catchUp.begin(at(5, 3));
  catchUp.observe(at(5, 3));
  expect(catchUp.isDone).toBe(false);
});

it('is not done before what waited at start was delivered, also where more came meanwhile', () => {
  const catchUp = new CatchUp();
  catchUp.observe(at(0, 0));
  expect(catchUp.isDone).toBe(false);
  catchUp.begin(at(0, 5));
  catchUp.took(1);
  catchUp.observe(at(1, 4));
  catchUp.finished(1);
  catchUp.observe(at(4, 20));
  expect(catchUp.isDone).toBe(false);
  catchUp.observe(at(5, 20));
  expect(catchUp.isDone).toBe(true);
});

it('is done when another process has taken all that waited', () => {
  const catchUp = new CatchUp();
  catchUp.begin(at(5, 3));
  catchUp.observe(at(5, 0));
  expect(catchUp.isDone).toBe(true);
});

it('waits only for what is unfinished in the stream that is there now', () => {
  const catchUp = new CatchUp();
  catchUp.begin(at(0, 1));
  catchUp.took(1);
  catchUp.begin(at(0, 2));
  catchUp.took(2);
  catchUp.observe(at(2, 0));
  catchUp.finished(2);
  catchUp.observe(at(2, 0));
  expect(catchUp.isDone).toBe(true);
});

it('does not wait for an event that was handed back here and confirmed by another process', () => {
  const catchUp = new CatchUp();
  catchUp.begin(at(0, 1));
  catchUp.took(1);
  catchUp.observe(at(1, 0));
  expect(catchUp.isDone).toBe(false);
  catchUp.observe(at(1, 0, 1));
  expect(catchUp.isDone).toBe(true);
});

it('begins anew with a stream that was made again, and stays done once it is', () => {
  const catchUp = new CatchUp();
  catchUp.begin(at(500, 10));
  catchUp.took(501);
  catchUp.begin(at(0, 1));
  catchUp.took(1);
  catchUp.finished(1);
  catchUp.observe(at(1, 0));
  expect(catchUp.isDone).toBe(true);
  catchUp.begin(at(1, 99));
  expect(catchUp.isDone).toBe(true);
});
