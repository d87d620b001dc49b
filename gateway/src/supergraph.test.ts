import { buildASTSchema, parse } from 'graphql';
import { expect, it } from 'vitest';
import { describeTeams, supergraph } from './supergraph.js';

it('every field of the graph names the teams that may query it', () => {
  const schema = buildASTSchema(parse(describeTeams(supergraph())), { assumeValid: true });
  const root = schema.getQueryType()!.getFields();
  expect(root['ledgerAccounts']!.description).toMatch(/\S\n\nTeams: finance\.$/);
  expect(Object.values(root).filter(({ description }) => !/\nTeams: .+\.$/.test(description ?? ''))).toEqual([]);
});

it('the list of a field overrides that of its type', () => {
  const sdl = 'type A @teams(of: ["x", "y"]) { one: ID "Two." two: ID @teams(of: ["z"]) }';
  expect(describeTeams(sdl).replaceAll(/\s+/g, ' ')).toContain(
    '"""Teams: x, y.""" one: ID """ Two. Teams: z. """ two: ID',
  );
});
