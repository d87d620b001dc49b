import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Scope } from '@payroll/kernel';
import { createReader, operations, readValue } from '@payroll/public-api';
import { allows } from '../caller.js';
import { readTools } from './read-tools.js';
import { ToolError } from './tool-error.js';
import type { Tool } from './tool.js';
import { writeTools } from './write-tools.js';

interface Entry {
  tool: Tool;
  listed: ListedTool;
  /** @throws ToolError `VALIDATION_FAILED` */
  read: (given: unknown) => Readonly<Record<string, unknown>>;
}

const entries: ReadonlyMap<string, Entry> = new Map(
  [...readTools, ...writeTools].map((tool) => [
    tool.name,
    { tool, listed: listedOf(tool), read: argumentReader(tool) },
  ]),
);

/** The tools that these scopes allow, always in the same order. */
export function toolsFor(scopes: readonly Scope[]): ListedTool[] {
  return [...entries.values()].filter(({ tool }) => allows(scopes, tool)).map(({ listed }) => listed);
}

export const findTool = (name: string): Entry | undefined => entries.get(name);

function listedOf({ name, title, description, destructive, input, operation }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: plain(input),
    outputSchema: plain(operations[operation].success.shape),
    annotations: {
      title,
      readOnlyHint: operations[operation].method === 'GET',
      destructiveHint: destructive,
      // Repeated calls with the same intentId write once.
      idempotentHint: true,
      // Tools reach this one service only.
      openWorldHint: false,
    },
  };
}

/** Without what TypeBox keeps beside the schema. */
function plain(schema: object): ListedTool['inputSchema'] {
  return JSON.parse(JSON.stringify(schema)) as ListedTool['inputSchema'];
}

function argumentReader({ input, rules }: Tool): Entry['read'] {
  const read = createReader(input, rules);
  return (given) => {
    const reading = read(readValue(given));
    if (!reading.ok)
      throw ToolError.of('VALIDATION_FAILED', `The arguments are not valid: ${reading.explanation}.`, {
        details: reading.problems,
      });
    return reading.value;
  };
}
