import { useState, type ReactNode } from 'react';

/** A column of an administration list. */
export interface AdminColumn<Row, Sort extends string = string> {
  key: string;
  label: string;
  /** Text is truncated if too long, with a tooltip; empty text becomes `--`. */
  render: (row: Row) => ReactNode;
  /** Pixels; remaining width is distributed. */
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

/** Which columns of the list `name` are shown: the user's choice, stored in this browser. */
export function useColumnChoice<Row, Sort extends string>(name: string, columns: readonly AdminColumn<Row, Sort>[]) {
  const storageKey = `columns:${name}`;
  const [chosen, setChosen] = useState<readonly string[] | null>(() => readChoice(storageKey));
  const isShown = ({ key, always = false, optional = false }: AdminColumn<Row, Sort>) =>
    always || (chosen ? chosen.includes(key) : !optional);
  const shown = columns.filter(isShown);
  return {
    shown,
    choices: columns
      .filter(({ always = false }) => !always)
      .map((column) => ({ key: column.key, label: column.label, shown: isShown(column) })),
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
