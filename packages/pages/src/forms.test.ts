import { h, type ComponentChild } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { ChoiceGroup, Field, FormContext } from './forms.js';
import { listOf, textOf, toProblems } from './sent-form.js';

const problems = [{ field: 'email', message: 'Enter <an> address' }];

const rendered = (form: ComponentChild): string =>
  renderToString(
    h(
      FormContext.Provider,
      { value: { token: '', person: '', path: '', problems, secrets: { isShown: false } } },
      form,
    ),
  );

it('an invalid field is described by its hint and its escaped error', () => {
  const html = rendered(h(Field, { name: 'email', label: 'Email', hint: 'As usual', value: '"><b>' }));
  expect(html).toContain('aria-describedby="email-hint email-wrong"');
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain('Enter &lt;an> address');
  expect(html).toContain('value="&quot;>&lt;b>"');
});

it('a typed password is never sent back', () => {
  const html = rendered(h(Field, { name: 'password', label: 'Password', type: 'password', value: 'secret' }));
  expect(html).not.toContain('secret');
});

it('the first choice of a group has the id that the error summary links to', () => {
  const choices = ['a', 'b'].map((value) => ({ value }));
  const html = rendered(h(ChoiceGroup, { name: 'role', legend: 'Role', type: 'radio', choices, chosen: ['b'] }));
  expect(html.match(/id="[^"]*"/g)).toEqual(['id="role"', 'id="role-1"']);
  expect(html).toMatch(/value="b"[^>]* checked|checked[^>]* value="b"/);
});

it('refusals become messages at their fields; one without a message concerns the whole form', () => {
  const wording = { 'name too_long': 'Too long', name: 'Wrong' };
  const details = ['too_long', 'other'].map((code) => ({ path: 'name', code }));
  expect(toProblems([...details, { path: 'x', code: 'y' }], wording)).toEqual([
    { field: 'name', message: 'Too long' },
    { field: 'name', message: 'Wrong' },
    { field: null, message: 'x: y' },
  ]);
});

it('a missing or repeated field is the empty text; a list contains the sent values', () => {
  const request = { body: { one: 'a', two: ['a', 'b'] } } as never;
  expect(['one', 'two', 'three'].map((field) => textOf(request, field))).toEqual(['a', '', '']);
  expect(['one', 'two', 'three'].map((field) => listOf(request, field))).toEqual([['a'], ['a', 'b'], []]);
});
