import type { ComponentChildren, VNode } from 'preact';
import { queryOf } from './filters.js';

interface TableProps<Row> {
  caption: string;
  rows: readonly Row[];
  /** The first column heads the row. A cell that is null is left out on a narrow screen. */
  columns: Readonly<Record<string, (row: Row) => ComponentChildren>>;
  /** Columns of right-aligned numbers. On a narrow screen the first is shown beside the head of the row. */
  numbers?: readonly string[];
  /** Columns without labels on a narrow screen, because their cells explain themselves. */
  plain?: readonly string[];
  empty?: VNode;
  /** The cursor of the next page; null on the last page. */
  cursor?: string | null;
  /** Filters that are kept by the links to the next page and to the other order. */
  filters?: Readonly<Record<string, string>>;
  /** The column that the rows are sorted by; `filters.order` has the direction. A narrow screen shows only its head. */
  sorted?: string;
}

/** The order of a list in its address. */
export type Order = 'newest' | 'oldest';

/** On a narrow screen each row becomes its head and first number, with the other cells below. */
export function Table<Row extends { id: string }>(props: TableProps<Row>): VNode {
  const { empty, cursor = null, ...table } = props;
  const { filters = {} } = table;
  return (
    <>
      {empty && table.rows.length === 0 ? empty : <Rows {...table} />}
      {cursor !== null && (
        <p>
          <a href={queryOf({ ...filters, cursor })}>Show {filters['order'] === 'oldest' ? 'newer' : 'older'} ones</a>
        </p>
      )}
    </>
  );
}

function Rows<Row extends { id: string }>({
  caption,
  rows,
  columns,
  numbers = [],
  plain = [],
  filters = {},
  sorted,
}: TableProps<Row>): VNode {
  return (
    <table>
      <caption class="hidden">
        {caption}
        {sorted !== undefined && `, ${filters['order']} first`}
      </caption>
      <thead>
        <tr>
          {Object.keys(columns).map((column) =>
            column === sorted ? (
              <SortedHead key={column} label={column} filters={filters} />
            ) : (
              <th key={column} scope="col" class={numbers.includes(column) ? 'num' : undefined}>
                {column}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {Object.entries(columns).map(([label, cell], n) =>
              n === 0 ? (
                <th key={label} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <Cell
                  key={label}
                  label={label}
                  isPlain={plain.includes(label)}
                  isSorted={label === sorted}
                  number={numbers.indexOf(label)}
                >
                  {cell(row)}
                </Cell>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Links to the first page of the list in the other order. */
function SortedHead({ label, filters }: { label: string; filters: Readonly<Record<string, string>> }): VNode {
  const isOldestFirst = filters['order'] === 'oldest';
  return (
    <th scope="col" aria-sort={isOldestFirst ? 'ascending' : 'descending'}>
      <a href={queryOf({ ...filters, order: isOldestFirst ? 'newest' : 'oldest' })}>{label}</a>
    </th>
  );
}

interface CellProps {
  label: string;
  isPlain: boolean;
  isSorted: boolean;
  /** Its index among the row's numbers; -1 if it is not a number. */
  number: number;
  children: ComponentChildren;
}

function Cell({ label, isPlain, isSorted, number, children }: CellProps): VNode {
  if (children === null) return <td />;
  const looks = [isPlain && 'plain', isSorted && 'sorted', number >= 0 && 'num', number === 0 && 'first']
    .filter(Boolean)
    .join(' ');
  return (
    <td class={looks || undefined}>
      <span class="cell-label" aria-hidden="true">
        {label}
      </span>
      <div class="cell">{children}</div>
    </td>
  );
}
