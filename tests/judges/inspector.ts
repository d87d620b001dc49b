import { runTool } from './tool.js';
import type { Case, Verdict } from './verdict.js';

/** The protocol's inspector as a host on the command line: lists and calls. */
export async function inspector({ mcp }: Case): Promise<Verdict> {
  const ask = async (...args: string[]): Promise<unknown> => {
    const connect = [mcp.url, '--transport', 'http', '--header', `Authorization: Bearer ${mcp.token}`];
    const { stdout, all } = await runTool('mcp-inspector', ['--cli', ...connect, '--method', ...args]);
    try {
      return JSON.parse(stdout) as unknown;
    } catch {
      throw new Error(all);
    }
  };
  const { tools } = (await ask('tools/list')) as { tools: { name: string }[] };
  const { resources } = (await ask('resources/list')) as { resources: { uri: string }[] };
  const { prompts } = (await ask('prompts/list')) as { prompts: { name: string }[] };
  const called = (await ask('tools/call', '--tool-name', 'list_contracts', '--tool-arg', 'limit=1')) as {
    isError?: boolean;
    structuredContent?: { data?: unknown };
  };
  const isCalled = !called.isError && Array.isArray(called.structuredContent?.data);
  return {
    isPassed: tools.length === 15 && resources.length === 1 && prompts.length === 1 && isCalled,
    summary: `${tools.length} tools, ${resources.length} resource, ${prompts.length} prompt, list_contracts called`,
    findings: [JSON.stringify({ tools, resources, prompts, called })],
  };
}
