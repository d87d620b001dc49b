import type { Page } from '../../../services/workspaces/test/pages/browser.js';

const ATTRIBUTES = '(?:[^>"]|"[^"]*")*';
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]!);
const attribute = (tag: string, name: string): string =>
  unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
const isMarked = (tag: string, mark: string): boolean =>
  new RegExp(` ${mark}(?=[ =]|$)`).test(tag.replaceAll(/"[^"]*"/g, '""'));

/** The fields that a browser without script submits for the first form of this action, unedited (HTML §4.10.22). */
export function drawnFields({ html }: Page, action: string): Record<string, string[]> {
  const form = [...html.matchAll(new RegExp(`<form(${ATTRIBUTES})>(.*?)</form>`, 'gs'))].find(
    ([, tag = '']) => attribute(tag, 'action').split('?')[0] === action,
  );
  const fields: Record<string, string[]> = {};
  const add = (tag: string, value: string): void => void (fields[attribute(tag, 'name')] ??= []).push(value);
  const controls = new RegExp(
    `<input(${ATTRIBUTES})/?>|<textarea(${ATTRIBUTES})>(.*?)</textarea>|<select(${ATTRIBUTES})>(.*?)</select>`,
    'gs',
  );
  for (const [, input, area, text = '', select, options = ''] of form![2]!.matchAll(controls)) {
    if (input !== undefined) {
      const isOff = /^(?:checkbox|radio)$/.test(attribute(input, 'type')) && !isMarked(input, 'checked');
      if (!isOff) add(input, attribute(input, 'value'));
    } else if (area !== undefined) {
      add(area, unescaped(text.replace(/^\n/, '')).replaceAll(/\r\n?|\n/g, '\r\n'));
    } else {
      const all = [...options.matchAll(new RegExp(`<option(${ATTRIBUTES})>`, 'g'))].map(([, tag = '']) => tag);
      add(select!, attribute(all.find((tag) => isMarked(tag, 'selected')) ?? all[0]!, 'value'));
    }
  }
  return fields;
}
