import { DRAFT_DEFAULTS, type DraftField, type DraftFields, type ObjectField } from '@payroll/kernel';
import { Button, Field, FormContext, MoneyField, Select } from '@payroll/pages';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { CONTRACT_TYPES } from '../../../words.js';
import { type Content, isFilled } from './content.js';
import { DRAFT_FORM, inWords, isIn, isPart, labelOf, type List, rowName } from './table.js';

/** The whole form of a draft. Parts that are not filled in are folded away. */
export function DraftFormFields({ filled, missing }: { filled: Content; missing: readonly string[] }): VNode {
  const { problems } = useContext(FormContext);
  const asked = [...missing, ...problems.flatMap(({ field }) => field ?? [])];
  const parts = Object.entries(DRAFT_FORM);
  return (
    <>
      {parts.map(([name, field]) => isPart(field) || <One key={name} field={field} path={name} filled={filled} />)}
      {parts.map(
        ([name, field]) =>
          isPart(field) && (
            <details
              key={name}
              id={name}
              open={name === 'compensation' || isFilled(name, filled) || asked.some((path) => isIn(name, path))}
            >
              <summary>{labelOf(name)}</summary>
              {field.kind === 'list' ? (
                <Rows list={name as List} item={field.item} filled={filled} />
              ) : (
                <Part fields={(field as ObjectField).fields} path={name} filled={filled} />
              )}
              <Button look="quiet">Save</Button>
            </details>
          ),
      )}
    </>
  );
}

function Part({ fields, path, filled }: { fields: DraftFields; path: string; filled: Content }): VNode {
  return (
    <>
      {Object.entries(fields).map(([name, field]) => (
        <One key={name} field={field} path={`${path}.${name}`} filled={filled} />
      ))}
    </>
  );
}

/** An empty row is ignored; existing rows keep their ids. */
function Rows({ list, item, filled }: { list: List; item: ObjectField; filled: Content }): VNode {
  const rows = filled.rows[list];
  return (
    <>
      {rows.map((id, n) => (
        <fieldset key={n} class="field row">
          <legend>{rowName(list, n)}</legend>
          {id !== '' && <input type="hidden" name={`${list}[${n}].id`} value={id} />}
          <Part fields={item.fields} path={`${list}[${n}]`} filled={filled} />
        </fieldset>
      ))}
      {rows.some((id) => id !== '') && <p class="hint">{EMPTIED[list]}</p>}
      <button type="submit" class="button button-plain" name="add" value={list}>
        Add a row
      </button>
    </>
  );
}

const EMPTIED: Readonly<Record<List, string>> = {
  milestones: 'Milestones that are saved stay, and can be changed. New rows that you leave empty are not saved.',
  creatorDeliverables: 'Empty all fields of a deliverable to take it out.',
};

const OF_WORDS = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(words.map((word) => [word, inWords(word)]));

function One({ field, path, filled }: { field: DraftField; path: string; filled: Content }): VNode | null {
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
      return isLong(field.maxLength, path) || value.includes('\n') ? (
        <Field {...named} type="lines" />
      ) : (
        <Field {...named} {...(field.maxLength === 2 && { hint: 'Two letters, such as NL.' })} />
      );
    case 'amount':
      return <AmountField {...named} currency={filled.values[CURRENCY] ?? ''} />;
    case 'currency':
      return null;
    default:
      return <Field {...named} />;
  }
}

/** The currency is edited next to the rate and shown next to every other amount. */
function AmountField({ currency, ...named }: { name: string; label: string; value: string; currency: string }): VNode {
  return named.name === RATE ? (
    <MoneyField {...named} hint={OF_CURRENCY} currency={{ name: CURRENCY, value: currency }} />
  ) : (
    <MoneyField {...named} currency={currency || DRAFT_DEFAULTS.currency} />
  );
}

const RATE = 'compensation.rate';
const CURRENCY = 'compensation.currency';
const OF_CURRENCY = 'All amounts of the contract are in its currency: three letters, such as EUR.';

/** These two have no length limit, but are short. Any text with line breaks gets a multi-line field. */
function isLong(maxLength: number, path: string): boolean {
  return maxLength > 300 && path !== 'workSchedule' && path !== 'invoicingSettings.cycleClosesOn';
}

const NOT_SAID = { '': '–' };
