import { MANAGERS } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { McpClient } from '../domain/connection.js';
import { toMcpClient } from '../store/to-mcp-client.js';
import { nameClient, type ClientFacts } from './name-client.js';

/** From now on every member may connect this client, each with what the own role allows. */
export const enableMcpClient = defineCommand(
  'mcp-client.enable',
  MANAGERS,
  async (tx, client: ClientFacts): Promise<McpClient> => {
    return toMcpClient(await nameClient(tx, client, 'enabled'));
  },
);
