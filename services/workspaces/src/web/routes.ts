import * as kit from '@payroll/pages';
import type { FastifyContextConfig } from 'fastify';
import { AccountContext } from './account-context.js';
import type { RoutePlugin } from './web.js';

export type RouteTable = kit.RouteTable<AccountContext>;

export function answering(table: RouteTable, config?: FastifyContextConfig): RoutePlugin {
  return (web) => kit.mountRoutes(table, (request, reply) => AccountContext.of(web, request, reply), config);
}

export function formPage<Entered>(path: string, page: kit.FormPage<AccountContext, Entered>): RouteTable {
  return kit.formPage(path, page);
}
