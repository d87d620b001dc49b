import { expect, it } from 'vitest';
import { heights } from './week-chart.js';

it('the largest amount gets the full height, the others their share of it', () => {
  expect(heights(['10', '5.00', '0.1', '0'], 120)).toEqual([120, 60, 1.2, 0]);
});

it('amounts beyond the precision of numbers keep their order', () => {
  expect(heights(['90000000000000000000.000001', '45000000000000000000.5'], 100)).toEqual([100, 50]);
});

it('a zero amount has no bar, and an empty list is accepted', () => {
  expect(heights(['0.00'], 100)).toEqual([0]);
  expect(heights([], 100)).toEqual([]);
});
