import type { DraftField, DraftFields, ObjectField } from '@payroll/kernel';
import { Field, FormContext, Select } from '@payroll/pages';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { CONTRACT_TYPES } from '../../../words.js';
import { DRAFT_FORM, inWords, labelOf, rowName, type Values } from './table.js';

/** What stands in the fields, and how many rows each list has. */
export interface Filled {
  values: Values;
  rows: Readonly<Record<string, number>>;
  /** Ids of rows that are known already. */
  ids: readonly string[];
}

/** The whole form of a draft. Parts that are not filled in are folded away. */
export function DraftFormFields({ filled, missing }: { filled: Filled; missing: readonly string[] }): VNode {
  const { problems } = useContext(FormContext);
  const asked = [...missing, ...problems.flatMap(({ field }) => field ?? [])];
  const parts = Object.entries(DRAFT_FORM);
  return (
    <>
      {parts.map(([name, field]) => isPart(field) || <One key={name} {...{ field, path: name, filled }} />)}
      {parts.map(
        ([name, field]) =>
          isPart(field) && (
            <details key={name} id={name} open={name === 'compensation' || isWanted(name, filled, asked)}>
              <summary>{labelOf(name)}</summary>
              {field.kind === 'list' ? (
                <Rows {...{ list: name, item: field.item, filled }} />
              ) : (
                <Part {...{ fields: (field as ObjectField).fields, path: name, filled }} />
              )}
            </details>
          ),
      )}
    </>
  );
}

const isPart = ({ kind }: DraftField): boolean => kind === 'object' || kind === 'list';

function isWanted(name: string, { values, rows }: Filled, asked: readonly string[]): boolean {
  const isOf = (path: string): boolean => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);
  const isFilled = Object.entries(values).some(([path, text]) => text !== '' && isOf(path));
  return isFilled || (rows[name] ?? 0) > 0 || asked.some(isOf);
}

function Part({ fields, path, filled }: { fields: DraftFields; path: string; filled: Filled }): VNode {
  return (
    <>
      {Object.entries(fields).map(([name, field]) => (
        <One key={name} {...{ field, path: `${path}.${name}`, filled }} />
      ))}
    </>
  );
}

/** A row that is left empty is none; those that are known keep their ids. */
function Rows({ list, item, filled }: { list: string; item: ObjectField; filled: Filled }): VNode {
  const count = filled.rows[list] ?? 0;
  return (
    <>
      <input type="hidden" name={`rows.${list}`} value={count} />
      {Array.from({ length: count }, (_, n) => (
        <fieldset key={n} class="field row">
          <legend>{rowName(list, n)}</legend>
          {list === 'milestones' && filled.ids[n] !== undefined && (
            <input type="hidden" name={`${list}[${n}].id`} value={filled.ids[n]} />
          )}
          <Part fields={item.fields} path={`${list}[${n}]`} filled={filled} />
        </fieldset>
      ))}
      {list === 'milestones' && filled.ids.length > 0 && (
        <p class="hint">Milestones that are saved stay, and can be changed. Rows that you leave empty are not saved.</p>
      )}
      <button type="submit" class="button button-plain" name="add" value={list}>
        Add a row
      </button>
    </>
  );
}

const OF_WORDS = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(words.map((word) => [word, inWords(word)]));

function One({ field, path, filled }: { field: DraftField; path: string; filled: Filled }): VNode {
  const value = filled.values[path] ?? '';
  const label = labelOf(path).replace(/^\w+ \d+: /, '');
  const named = { name: path, label, value };
  switch (field.kind) {
    case 'word':
      return path === 'contractType' ? (
        <Select {...named} options={CONTRACT_TYPES} />
      ) : (
        <Select {...named} options={{ ...NOT_SAID, ...OF_WORDS(field.words) }} />
      );
    case 'flag':
      return <Select {...named} options={{ ...NOT_SAID, yes: 'Yes', no: 'No' }} />;
    case 'day':
      return <Field {...named} type="date" />;
    case 'email':
      return <Field {...named} type="email" />;
    case 'texts':
      return <Field {...named} type="lines" hint="One on each line." />;
    case 'text':
      return field.maxLength > 300 && path !== 'workSchedule' && path !== 'invoicingSettings.cycleClosesOn' ? (
        <Field {...named} type="lines" />
      ) : (
        <Field {...named} {...(field.maxLength === 2 && { hint: 'Two letters, such as NL.' })} />
      );
    case 'currency':
      return <Field {...named} hint="Three letters, such as EUR. It holds for all amounts of the contract." />;
    default:
      return <Field {...named} />;
  }
}

const NOT_SAID = { '': '–' };
