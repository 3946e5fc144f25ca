import { useState, type ReactNode } from 'react';

/** A column of an administration list. */
export interface AdminColumn<Row, Sort extends string = string> {
  key: string;
  label: string;
  /** Text is truncated if too long, with a tooltip; empty text becomes `--`. */
  render: (row: Row) => ReactNode;
  /** Pixels; remaining width is distributed. Where there is not enough, the last columns are left out. */
  width: number;
  /** The server's sort key for this column; without it the column cannot be sorted. */
  sort?: Sort;
  /** Cannot be hidden. */
  always?: boolean;
  /** Hidden by default. */
  optional?: boolean;
  /** Stays visible when the table scrolls sideways. */
  fixed?: 'start' | 'end';
}

/** This many columns are shown even if the table has to scroll sideways for them, as on a phone. */
const LEAST = 2;

/** The columns that fit into a width in pixels, but at least two; the least important ones are at the end. */
export function fittingColumns<Column extends Pick<AdminColumn<never>, 'width' | 'always'>>(
  columns: readonly Column[],
  space: number,
): Column[] {
  let left = space - columns.reduce((sum, { always = false, width }) => sum + (always ? width : 0), 0);
  let isFull = false;
  let missing = LEAST - columns.filter(({ always = false }) => always).length;
  return columns.filter(({ always = false, width }) => {
    if (always) return true;
    left -= width;
    isFull ||= left < 0;
    missing -= 1;
    return !isFull || missing >= 0;
  });
}

/**
 * Which columns of the list `name` are shown: those that the user chose, stored in this browser, otherwise those that
 * fit into `space` pixels.
 */
export function useColumnChoice<Row, Sort extends string>(
  name: string,
  columns: readonly AdminColumn<Row, Sort>[],
  space: number,
) {
  const storageKey = `columns:${name}`;
  const [chosen, setChosen] = useState<readonly string[] | null>(() => readChoice(storageKey));
  const shown = chosen
    ? columns.filter(({ key, always = false }) => always || chosen.includes(key))
    : fittingColumns(
        columns.filter(({ always = false, optional = false }) => always || !optional),
        space,
      );
  return {
    shown,
    choices: columns
      .filter(({ always = false }) => !always)
      .map((column) => ({ key: column.key, label: column.label, shown: shown.includes(column) })),
    toggle: (key: string) => {
      const keys = shown.map((column) => column.key);
      const next = keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];
      localStorage.setItem(storageKey, JSON.stringify(next));
      setChosen(next);
    },
  };
}

function readChoice(storageKey: string): readonly string[] | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    return Array.isArray(stored) && stored.every((key) => typeof key === 'string') ? stored : null;
  } catch {
    return null; // the storage was edited by hand
  }
}
