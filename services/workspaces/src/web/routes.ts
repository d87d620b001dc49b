import * as kit from '@payroll/pages';
import type { FastifyContextConfig } from 'fastify';
import { OwnExchange } from './exchange.js';
import type { Routes } from './web.js';

export type RouteTable = kit.RouteTable<OwnExchange>;

export function answering(table: RouteTable, config?: FastifyContextConfig): Routes {
  return (web) => kit.answering(table, (request, reply) => OwnExchange.of(web, request, reply), config);
}

export function formPage<Entered>(path: string, page: kit.FormPage<OwnExchange, Entered>): RouteTable {
  return kit.formPage(path, page);
}
