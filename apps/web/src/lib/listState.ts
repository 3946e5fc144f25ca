import { useMemo } from 'react';
import { useAddressParams } from './addressParams.ts';

export type Order = 'ASC' | 'DESC';
export const PAGE_SIZES = [10, 20, 50, 100] as const;
const DEFAULT_SIZE = 20;
const KEYWORD_LENGTH = 100;

/** Parses a filter's value from the URL; `''` gives its default. */
type Filter<V extends string> = (raw: string) => V;

/** A filter with a few values. */
export function oneOf<V extends string>(values: readonly V[], fallback: NoInfer<V>): Filter<V> {
  return (raw) => values.find((known) => known === raw) ?? fallback;
}

/** A filter with free text up to a length; an empty value does not filter. */
export function shortText(length: number): Filter<string> {
  return (raw) => raw.slice(0, length);
}

/** The filters and sort keys of a list. Filters have the same names as in the URL. */
export interface ListShape {
  filters: Record<string, Filter<string>>;
  /** The first one is the default. */
  sorts: readonly string[];
  /** The list's default order; ascending if missing. */
  order?: (filters: Readonly<Record<string, string>>) => Order;
}

/** Whether the list's search or a filter is active; `except` names filters that do not count. */
export function isFiltered<S extends ListShape>(
  shape: S,
  state: Readonly<Record<keyof S['filters'] | 'keyword', string>>,
  except: readonly (keyof S['filters'])[] = [],
): boolean {
  const values: Readonly<Record<string, string>> = state;
  const filters = Object.entries(shape.filters).filter(([name]) => !except.includes(name));
  return state.keyword !== '' || filters.some(([name, filter]) => values[name] !== filter(''));
}

/** The non-empty values: an empty filter is left out of the query. */
export function withoutEmpty<T extends Readonly<Record<string, string>>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], ''> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) as {
    [K in keyof T]?: Exclude<T[K], ''>;
  };
}

/** A list's state: search, paging (`current` counts from 1), sorting and filters. */
export type ListState<S extends ListShape> = {
  keyword: string;
  current: number;
  size: number;
  sort: S['sorts'][number];
  order: Order;
} & { [K in keyof S['filters']]: ReturnType<S['filters'][K]> };

function filtersOf(shape: ListShape, params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    Object.entries(shape.filters).map(([name, filter]) => [name, filter(params.get(name) ?? '')]),
  );
}

/** The list's state in the URL; missing or invalid values become the defaults. */
export function readListState<S extends ListShape>(shape: S, params: URLSearchParams): ListState<S> {
  const filters = filtersOf(shape, params);
  const current = Number(params.get('page'));
  return {
    ...filters,
    keyword: (params.get('q') ?? '').slice(0, KEYWORD_LENGTH),
    current: Number.isInteger(current) && current >= 1 ? current : 1,
    size: PAGE_SIZES.find((known) => String(known) === params.get('size')) ?? DEFAULT_SIZE,
    sort: shape.sorts.find((known) => known === params.get('sort')) ?? shape.sorts[0],
    order: (['ASC', 'DESC'] as const).find((known) => known === params.get('order')) ?? shape.order?.(filters) ?? 'ASC',
  } as ListState<S>;
}

/** The URL after a change, without defaults. Every change except paging returns to the first page. */
export function writeListState<S extends ListShape>(
  shape: S,
  params: URLSearchParams,
  change: Partial<ListState<S>>,
): URLSearchParams {
  const next = { ...readListState(shape, params), current: 1, ...change } as ListState<S> & Record<string, string>;
  const result = new URLSearchParams(params);
  const put = (key: string, value: string | number, fallback: string | number | undefined) => {
    if (value === fallback) result.delete(key);
    else result.set(key, String(value));
  };
  for (const [name, filter] of Object.entries(shape.filters)) put(name, next[name] ?? '', filter(''));
  put('q', next.keyword, '');
  put('page', next.current, 1);
  put('size', next.size, DEFAULT_SIZE);
  put('sort', next.sort, shape.sorts[0]);
  put('order', next.order, shape.order?.(filtersOf(shape, result)) ?? 'ASC');
  return result;
}

/** Reads and changes a list's state in the URL. Typing in the search field replaces the history entry. */
export function useListState<S extends ListShape>(shape: S): [ListState<S>, (change: Partial<ListState<S>>) => void] {
  const [params, setParams] = useAddressParams();
  const state = useMemo(() => readListState(shape, params), [shape, params]);
  const change = (part: Partial<ListState<S>>) =>
    setParams((now) => writeListState(shape, now, part), { replace: 'keyword' in part });
  return [state, change];
}
