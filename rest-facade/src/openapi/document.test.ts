import {
  components,
  createReader,
  ErrorBody,
  operations,
  readValue,
  type ApiOperation,
  type OperationName,
} from '@payroll/public-api';
import { expect, test } from 'vitest';
import { Compile } from 'typebox/compile';
import { codeSamples, errorExamples, openApiDocument } from './document.js';
import type { Json } from './components.js';
import { explanations, type Example } from './explanations.js';

const document = openApiDocument('/v1') as {
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Record<string, Json>>;
};
const all = Object.entries<ApiOperation>(operations) as [OperationName, ApiOperation][];

const requests = all.flatMap(([name, { body }]) =>
  Object.entries<Example>(explanations[name].requests ?? {}).map(
    ([key, { value }]) => [`${name} ${key}`, body!, value] as const,
  ),
);
test.each(requests)('the request %s can be sent', (_name, { shape, rules }, value) => {
  expect(createReader(shape, rules)(readValue(value))).toMatchObject({ ok: true });
});

test.each(all.filter(([, { body }]) => body))('%s has an example request', (name) => {
  expect(Object.keys(explanations[name].requests ?? {})).not.toEqual([]);
});

test.each(all.filter(([, { body }]) => body))('the key in a sample of %s names the action', (name, operation) => {
  const verb = name === 'createContract' ? 'draft' : name.replace(/[A-Z].*/, '');
  for (const { source } of codeSamples(name, operation, explanations[name])) {
    expect(source).toMatch(new RegExp(`(Idempotency-Key: |operation: ')${verb}-`));
  }
});

const answers = all.flatMap(([name, { success }]) =>
  Object.entries<Example>(explanations[name].answers).map(
    ([key, { value }]) => [`${name} ${key}`, success.shape, value] as const,
  ),
);
test.each(answers)('the answer %s can be received', (_name, shape, value) => {
  expect([...Compile(shape).Errors(value)]).toEqual([]);
});

test.each(Object.entries(errorExamples))('the error %s can be received', (_code, example) => {
  expect([...Compile(ErrorBody).Errors((example as Example).value)]).toEqual([]);
});

test('every reference resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)];
  expect(references.length).toBeGreaterThan(100);
  for (const [reference, kind = '', name = ''] of references) {
    expect(document.components[kind], reference).toHaveProperty([name]);
  }
});

test('no two named shapes are the same, so that each is referred to by its own name', () => {
  const essences = Object.values(components).map((shape) => JSON.stringify({ ...shape, description: '' }));
  expect(new Set(essences).size).toBe(essences.length);
});

test('every operation declares every error status of the contract', () => {
  for (const item of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const declared = Object.keys(item['responses'] as Json);
    expect(declared).toEqual(
      expect.arrayContaining(['400', '401', '403', '404', '409', '413', '422', '429', '500', '503']),
    );
  }
});

test.each(Object.entries(document.components['schemas']!))(
  '%s and all of its properties are described',
  (_n, schema) => {
    const isSaid = (part: Json): boolean => 'description' in part || '$ref' in part;
    expect(isSaid(schema)).toBe(true);
    const { properties = {} } = schema as { properties?: Record<string, Json> };
    for (const [name, part] of Object.entries(properties)) expect(isSaid(part), name).toBe(true);
  },
);

test('the server has the address of the deployment', () => {
  expect(openApiDocument('https://api.example.com/v1')['servers']).toMatchObject([
    { url: 'https://api.example.com/v1' },
  ]);
});
