import * as kit from '@payroll/pages';
import type { ConsoleExchange } from './exchange.js';

export type RouteTable = kit.RouteTable<ConsoleExchange>;

export function formPage<Entered>(path: string, page: kit.FormPage<ConsoleExchange, Entered>): RouteTable {
  return kit.formPage(path, page);
}
