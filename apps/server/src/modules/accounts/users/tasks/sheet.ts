import { accountName, contract, department, PHONE_PATTERN, USER_COLUMNS, type USER_FAULTS } from '@rmeet/contract';
import { z } from 'zod';
import { readTable, textCell, wordKey, type Cell, type SheetRow } from '../../../../platform/import/index.ts';
import type { RoleName } from '../ports.ts';
import type { SheetUser } from '../tables.ts';
import { readHead, readLocale, type Column } from '../words.ts';

export type FaultKind = (typeof USER_FAULTS)[number];

/** A row of a sheet: an account, or what is wrong with it. */
export interface ReadUser {
  row: number;
  account: string;
  name: string;
  /** Undefined if a cell is wrong. */
  user: SheetUser | undefined;
  faults: { column: Column; fault: FaultKind; value: string }[];
}

const NEEDED = ['account', 'name'] as const;
const FIELDS = {
  name: contract.users.create.input.body.shape.name,
  phone: z.union([z.literal(''), z.string().max(40).regex(PHONE_PATTERN)]),
  email: z.union([z.literal(''), z.email().max(254)]),
};

/** What separates roles in a cell. A name that contains one of these is found, too. */
const SEPARATORS = /[,，、;；\n]+/;
const roleKey = (name: string): string => wordKey(name.split(SEPARATORS).join(''));

/**
 * Reads the roles of a cell, in either language: from each place the longest part of the cell that is a role. An empty
 * cell leaves roles as they are.
 */
function roleReader(roles: readonly RoleName[]): (text: string) => Cell<FaultKind> {
  const known = new Map(
    roles.flatMap(({ id, name, nameEn }) => [name, nameEn].map((word) => [roleKey(word), id] as const)),
  );
  return (text) => {
    const parts = text.split(SEPARATORS).filter((part) => part.trim() !== '');
    if (parts.length === 0) return { value: undefined };
    const ids = new Set<string>();
    for (let from = 0; from < parts.length;) {
      let to = parts.length;
      while (to > from && !known.has(roleKey(parts.slice(from, to).join('')))) to -= 1;
      const id = known.get(roleKey(parts.slice(from, to).join('')));
      if (to === from || id === undefined) return { fault: 'roleUnknown' };
      ids.add(id);
      from = to;
    }
    return { value: [...ids] };
  };
}

/** Reads the rows of a sheet as accounts. */
export function readUsers(sheet: readonly SheetRow[], roles: readonly RoleName[]): ReadUser[] {
  const { rows } = readTable<Column, FaultKind>(sheet, {
    columns: USER_COLUMNS,
    needed: NEEDED,
    readHead,
    readers: {
      account: (text) => textCell(accountName, text),
      name: (text) => textCell(FIELDS.name, text),
      phone: (text) => textCell(FIELDS.phone, text),
      email: (text) => textCell(FIELDS.email, text),
      department: (text) => textCell(department, text),
      roles: roleReader(roles),
      locale: (text) => {
        const locale = readLocale(text);
        return text === '' || locale !== undefined ? { value: locale } : { fault: 'unreadable' };
      },
    },
    key: { column: 'account', of: (account) => String(account).toLowerCase() },
  });
  return rows.map(({ number, values, texts, faults }) => {
    const { roles: roleIds, ...others } = values;
    return {
      row: number,
      account: texts.account ?? '',
      name: texts.name ?? '',
      // Every required column exists, and each value came from its own reader.
      user: faults.length > 0 ? undefined : ({ ...others, ...(roleIds ? { roleIds } : {}) } as SheetUser),
      faults,
    };
  });
}
