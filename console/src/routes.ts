import * as kit from '@payroll/pages';
import type { ConsoleExchange } from './exchange.js';

export type RouteTable = kit.RouteTable<ConsoleExchange>;

export function formPage<Entered>(path: string, page: kit.FormPage<ConsoleExchange, Entered>): RouteTable {
  return kit.formPage(path, page);
}

/** On every page with a form, what was typed there before the session was lost comes back: no page has to think of it. */
export function withTypedForms(table: RouteTable): RouteTable {
  const withForms = new Set(
    Object.keys(table).flatMap((route) => (route.startsWith('POST ') ? [pageOf(route, table)] : [])),
  );
  return Object.fromEntries(
    Object.entries(table).map(([route, answer]) => [
      route,
      withForms.has(route)
        ? async (at: ConsoleExchange) => {
            await at.takeTypedForm();
            return await answer(at);
          }
        : answer,
    ]),
  );
}

/** The page on which a form stands: at the address that it is sent to, or at the nearest above that. */
function pageOf(route: string, table: RouteTable): string {
  let path = route.slice('POST '.length);
  while (path !== '' && !(`GET ${path}` in table)) path = path.slice(0, path.lastIndexOf('/'));
  return `GET ${path}`;
}
