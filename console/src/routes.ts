import * as kit from '@payroll/pages';
import type { ConsoleContext } from './console-context.js';

export type RouteTable = kit.RouteTable<ConsoleContext>;

export function formPage<Entered>(path: string, page: kit.FormPage<ConsoleContext, Entered>): RouteTable {
  return kit.formPage(path, page);
}

/** Every page with a form restores what was typed before the session ended, without code of its own. */
export function withTypedForms(table: RouteTable): RouteTable {
  const withForms = new Set(
    Object.keys(table).flatMap((route) => (route.startsWith('POST ') ? [pageOf(route, table)] : [])),
  );
  return Object.fromEntries(
    Object.entries(table).map(([route, answer]) => [
      route,
      withForms.has(route)
        ? async (ctx: ConsoleContext) => {
            await ctx.takeTypedForm();
            return await answer(ctx);
          }
        : answer,
    ]),
  );
}

/** The page that shows a form: at the form's own address, or at the nearest one above it. */
function pageOf(route: string, table: RouteTable): string {
  let path = route.slice('POST '.length);
  while (path !== '' && !(`GET ${path}` in table)) path = path.slice(0, path.lastIndexOf('/'));
  return `GET ${path}`;
}
