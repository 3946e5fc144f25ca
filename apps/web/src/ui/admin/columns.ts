import { useState, type ReactNode } from 'react';

/** A column of an administration list. */
export interface AdminColumn<Row, Sort extends string = string> {
  key: string;
  label: string;
  /** Text is cut off where it is too long and can be read as a tooltip; empty text becomes `--`. */
  render: (row: Row) => ReactNode;
  /** Pixels; what is left over is shared out. */
  width: number;
  /** What the server calls sorting by this column; without it the column cannot be sorted. */
  sort?: Sort;
  /** Cannot be hidden. */
  always?: boolean;
  /** Hidden until chosen. */
  optional?: boolean;
  /** Stays in sight when the table is scrolled sideways. */
  fixed?: 'start' | 'end';
}

/** Which columns of the list `name` are shown: the reader's choice, remembered in this browser. */
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
